// The sentence on the page: tiles of words that are dragged or moved by keys, over a canvas with ribbons or arcs, what is below words, and clocks.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult, unsafeCSS } from 'lit';
import { marksBetween } from '../../../views/render/glide.ts';
import { mountPicture } from '../../../views/render/screen.ts';
import type { LiveFigure, Stage } from '../../contract/kind.ts';
import { drawing } from '../../runtime/scene-source.ts';
import { arrangedWords } from './arranged-words.ts';
import { sentenceFoot } from './foot.ts';
import { sentenceLayout } from './layout.ts';
import { type fields, isStep, type Pictured, type Shown } from './numbers.ts';
import { queryPlace, restingWord, type Seat, seatsOf, sentencePicture } from './picture.ts';
import { keepInSight, labelSize } from './room.ts';
import style from './surface.css?inline';
import { paintTile, sentenceTiles } from './tiles.ts';
import { GLIDE, Travel } from './travel.ts';
import { wordHands } from './word-hands.ts';
import { wordMoves } from './word-moves.ts';
import { words } from './words.ts';

/** Below this font size (px) a text is long and scrolls. */
const SCROLLS = 20;

const sheet = unsafeCSS(style);

export function sentenceSurface(
  figure: LiveFigure<typeof fields, Shown>,
  { element, width, maxHeight, look, announce, broken }: Stage,
): () => void {
  /** Counts what tiles show beside signals: lifted and dragged words. */
  const touched = signal(0);
  const touch = (): void => {
    touched.value += 1;
  };
  const { text, sentence, computedOf, known } = arrangedWords(figure);
  const hasButtons = computed(() => computedOf.value?.spec.buttons ?? false);
  const layout = computed(() => {
    const shown = sentence.value;
    if (!shown || width.value < 40) return undefined;
    return sentenceLayout(
      shown.order.map((word) => shown.words[word] as string),
      { width: width.value, maxHeight: maxHeight.value, labels: labelSize(element), hasCodes: hasButtons.value },
    );
  });
  const moves = wordMoves(figure, sentence, announce);
  const { chosen, order, point, resting } = moves;
  const picture = computed(() => {
    const shown = layout.value;
    const latest = computedOf.value;
    return latest && shown
      ? { numbers: latest.numbers, ...sentencePicture(latest.numbers, latest.spec, shown, { theme: look.value.theme, isTouched }) }
      : undefined;
  });
  const height = computed(() => picture.value?.base.height);
  const part = (name: string): HTMLElement => element.querySelector<HTMLElement>(name) as HTMLElement;

  /** The word that is chosen, pointed at by another figure, or shown at rest. */
  const selected = computed(() => {
    const placed = sentence.value?.order ?? [];
    const { query } = figure.cursor.value;
    return chosen.value ?? (query === undefined ? undefined : placed[query]) ?? restingWord(placed.length);
  });
  /** The cursor in numbers of an order that may be older. */
  function cursorIn({ order: placed }: Pictured) {
    const { key, ...cursor } = figure.cursor.value;
    const word = key === undefined ? undefined : sentence.value?.order[key];
    return { ...cursor, query: placed.indexOf(selected.value), ...(word === undefined ? {} : { key: placed.indexOf(word) }) };
  }

  const isTouched = matchMedia('(pointer: coarse)').matches;
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  /** Left and upper edge of each word; weight and how far bar codes have parted. */
  const places = new Travel(() => paint());
  const looks = new Travel(() => paint());
  let carried: { readonly word: number; readonly x: number; readonly y: number } | undefined;
  /** How long the words take to their places, ms. */
  let pace = GLIDE;
  const paced = (): number => (calm.matches ? 0 : pace);

  /** Draws what moves as it is now, also in frames of which nobody else knows. */
  function paint(): void {
    try {
      paintNow();
    } catch (thrown) {
      // Not from within an effect, whose signals it may read.
      queueMicrotask(() => broken(thrown));
    }
  }

  function paintNow(): void {
    const laid = layout.peek();
    const shown = sentence.peek();
    const drawn = picture.peek();
    if (!laid || !shown) return;
    const { theme } = look.peek();
    const seats = shown.words.map((_, word): Seat => {
      const isCarried = carried?.word === word;
      const at = isCarried && carried ? carried : { x: places.values[2 * word] ?? 0, y: places.values[2 * word + 1] ?? 0 };
      return { x: at.x, y: at.y, weight: looks.values[2 * word] ?? Number.NaN, split: looks.values[2 * word + 1] ?? 0, isCarried };
    });
    for (const tile of element.querySelectorAll<HTMLElement>('.tile')) {
      const seat = seats[Number(tile.dataset.word)];
      if (seat) paintTile(tile, seat, theme, drawn !== undefined);
    }
    if (!drawn) return;
    const { base } = drawn;
    const { rasters, marks } = drawn.at(cursorIn(drawn.numbers), seats, shown.order);
    mounted.update({ ...base, rasters: [...base.rasters, ...rasters], marks: [...base.marks, ...marks] }, { ...look.peek() });
  }

  const carry = (word: number, x: number, y: number): void => {
    carried = { word, x, y };
    paint();
  };
  const drop = (word: number): void => {
    if (carried) places.place(2 * word, [carried.x, carried.y], paced());
    carried = undefined;
    paint();
  };
  const hands = wordHands({ element, sentence, layout, picture, moves, part, announce, touch, carry, drop });
  const { drag, keys, handlers } = hands;

  /** What is said of the weight of a word. */
  function said(word: number): string | undefined {
    const numbers = picture.value?.numbers;
    if (!numbers || !layout.value?.large) return undefined;
    const query = numbers.order.indexOf(selected.value);
    const weight = numbers.weights.data[query * numbers.order.length + numbers.order.indexOf(word)] as number;
    return words.shareOf(words.share(weight), numbers.placed[query] as string);
  }

  function tiles(): TemplateResult[] {
    const shown = sentence.value;
    const laid = layout.value;
    if (!shown || !laid) return [];
    return sentenceTiles({
      ...shown,
      layout: laid,
      selected: selected.value,
      lifted: keys.lifted,
      dragged: drag.dragged,
      pointed: figure.cursor.value.key,
      isUnknown: (word) => known.value?.[word] === false,
      said,
    });
  }

  function foot(): TemplateResult | typeof nothing {
    const shown = sentence.value;
    if (!shown) return nothing;
    const numbers = picture.value?.numbers;
    const parts = {
      ...shown,
      chosen: selected.value,
      toRight: layout.value?.toRight ?? 1,
      numbers,
      query: numbers && queryPlace(numbers, figure.cursor.value),
      move: moves.move,
      reset: moves.reset,
      retry: figure.retryWords,
    };
    return sentenceFoot(parts, moves.locked);
  }

  // Not an element: a policy for content may forbid those.
  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  // Made once: the canvas is in it.
  render(
    html`<div class="stage"><div class="drawing"></div><div class="overlay"></div></div>
      <div class="dials" @pointermove=${handlers.dial} @pointerdown=${handlers.dial} @pointerleave=${handlers.leave}></div>
      <div class="show"></div>
      <div class="foot"></div>`,
    element,
  );
  const mounted = mountPicture(part('.drawing'));
  const clocks = mountPicture(part('.dials'));
  const owned: ReadonlySignal<string> = computed(() => (sentence.value?.order ?? []).map((word) => `word-${word}`).join(' '));
  let lastLabels = 0;
  let lastRoom = '';
  let last: Pictured | undefined;
  let isEnded = false;
  let endButtons = (): void => {};
  const ends = [
    // The word that was chosen belongs to the sentence.
    effect(() => {
      if (text.value !== undefined) chosen.value = undefined;
    }),
    // It stays chosen wherever it goes.
    effect(() => {
      if (sentence.value && chosen.value !== undefined) point(resting());
    }),
    drawing(() => {
      void touched.value;
      const laid = layout.value;
      const stage = part('.stage');
      stage.classList.toggle('long', laid !== undefined && laid.size < SCROLLS);
      stage.classList.toggle('large', laid?.large !== undefined);
      render(
        html`<div class="tiles" role="listbox" aria-label=${words.list} aria-orientation="horizontal" aria-describedby="word-keys"
          aria-owns=${owned.value} .style=${`width: ${laid?.width ?? 0}px; height: ${height.value ?? laid?.height ?? 0}px`}
          @pointerdown=${handlers.press} @pointermove=${handlers.follow} @pointerup=${handlers.release} @pointercancel=${handlers.release}
          @pointerleave=${handlers.leave} @touchmove=${handlers.keep} @contextmenu=${handlers.keep} @click=${handlers.click} @keydown=${handlers.key} @focusout=${handlers.blur}>${tiles()}</div>
          <div class="hidden" id="word-keys">${words.keys}</div>`,
        part('.overlay'),
      );
      paint();
      if (lastLabels && laid && laid.labels !== lastLabels) keepInSight(stage, laid.tiles[order().indexOf(selected.peek())]?.box);
      lastLabels = laid?.labels ?? lastLabels;
    }, broken),
    drawing(() => {
      void touched.value;
      render(hasButtons.value ? nothing : foot(), part('.foot'));
    }, broken),
    drawing(() => {
      const drawn = picture.value;
      const laid = layout.value;
      const shown = sentence.value;
      if (!laid || !shown) return;
      const room = [laid.width, laid.size, laid.large?.sky, text.value].join();
      const isOther = room !== lastRoom;
      lastRoom = room;
      const at = shown.words.flatMap((_, word) => {
        const { x = 0, y = 0 } = laid.tiles[shown.order.indexOf(word)]?.word ?? {};
        return [x, y];
      });
      places.to(at, isOther ? 0 : paced());
      if (drawn) {
        const { numbers } = drawn;
        const cursor = cursorIn(numbers);
        const seats = seatsOf(laid, shown.order, numbers, cursor);
        const isAtOnce = isOther || last === undefined || isStep(last, numbers) || calm.matches;
        looks.to(
          seats.flatMap(({ weight, split }) => [weight, split]),
          isAtOnce ? 0 : GLIDE,
        );
        const dials = drawn.dials?.(cursor);
        part('.dials').hidden = dials === undefined;
        if (dials) clocks.update(dials, { ...look.value, glide: isAtOnce ? undefined : marksBetween });
        last = numbers;
      }
      paint();
    }, broken),
    // What another figure no longer points at leaves the chosen word.
    effect(() => {
      if (Object.keys(figure.cursor.value).length === 0 && chosen.value !== undefined) point(resting());
    }),
    effect(() => {
      const latest = figure.computed.value;
      if (latest) moves.tell(latest.numbers);
    }),
    // Fetched with the first numbers that have outputs, and not by sentences without buttons.
    effect(() => {
      part('.show').hidden = !hasButtons.value;
      if (!hasButtons.value) return;
      void import('./buttons.ts').then(({ sentenceButtons }) => {
        if (isEnded) return;
        endButtons();
        endButtons = sentenceButtons(part('.show'), {
          figure,
          moves,
          computedOf,
          selected,
          reducedMotion: calm,
          broken,
          slowly(move, duration) {
            pace = duration;
            move();
            pace = GLIDE;
          },
        });
      }, broken);
    }),
  ];
  return () => {
    isEnded = true;
    for (const end of ends) end();
    endButtons();
    hands.end();
    places.end();
    looks.end();
    mounted.dispose();
    clocks.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}
