// The sentence on the page: tiles of words that are dragged or moved by keys, over a canvas with arcs, stripes and clocks.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult, unsafeCSS } from 'lit';
import { placeUnder, WordDrag } from '../../../sentence/drag.ts';
import { WordKeys } from '../../../sentence/keys.ts';
import { LongPress } from '../../../sentence/long-press.ts';
import { isIdentity, moved } from '../../../sentence/order.ts';
import { mountPicture } from '../../../views/render/screen.ts';
import type { Cursor } from '../../../views/scene.ts';
import type { LiveFigure, Stage } from '../../contract/kind.ts';
import { drawing } from '../../runtime/scene-source.ts';
import { placeIn } from '../../surface/pointer-place.ts';
import { arrangedWords } from './arranged-words.ts';
import { sentenceFoot } from './foot.ts';
import { sentenceLayout } from './layout.ts';
import { type fields, isStep, type Pictured } from './numbers.ts';
import { queryPlace, restingPlace, sentencePicture, wordCursor } from './picture.ts';
import { keepInSight, labelSize } from './room.ts';
import style from './surface.css?inline';
import { sentenceTiles } from './tiles.ts';
import { words } from './words.ts';

/** Below this font size (px) a text is long and scrolls. */
const SCROLLS = 20;

const sheet = unsafeCSS(style);

export function sentenceSurface(
  figure: LiveFigure<typeof fields, Pictured>,
  { element, width, maxHeight, look, announce, broken }: Stage,
): () => void {
  /** The word that was chosen by a click, by focus or by moving it: an index into the sentence as written. */
  const chosen = signal<number | undefined>(undefined);
  /** Counts what tiles show beside signals: lifted and dragged words. */
  const touched = signal(0);
  const touch = (): void => {
    touched.value += 1;
  };
  const { text, sentence, computedOf, known } = arrangedWords(figure);
  const layout = computed(() => {
    const shown = sentence.value;
    if (!shown || width.value < 40) return undefined;
    return sentenceLayout(
      shown.order.map((word) => shown.words[word] as string),
      width.value,
      maxHeight.value,
      labelSize(element),
    );
  });
  const order = () => sentence.peek()?.order ?? [];
  const wordAt = (place: number): number => order()[place] as number;
  const locked = figure.locked.includes('order');

  const move = (from: number, to: number): void => {
    if (locked) return;
    const word = wordAt(from);
    const next = moved(order(), from, to);
    chosen.value = word;
    figure.change({ order: isIdentity(next) ? [] : next });
    point({ query: order().indexOf(word) });
    announce(words.moved(sentence.peek()?.words[word] as string, order().indexOf(word) + 1, order().length));
  };
  const point = (cursor: Cursor): void => {
    const before = figure.cursor.peek();
    const names = new Set([...Object.keys(before), ...Object.keys(cursor)]);
    if ([...names].some((name) => before[name] !== cursor[name])) figure.cursor.value = cursor;
  };
  const choose = (word: number): void => {
    chosen.value = word;
    point({ query: order().indexOf(word) });
  };
  /** The cursor when nothing is pointed at. */
  const resting = (): Cursor => (chosen.peek() === undefined ? {} : { query: Math.max(0, order().indexOf(chosen.peek() as number)) });

  const tileOf = (word: number): HTMLElement | null => element.querySelector<HTMLElement>(`[data-word="${word}"]`);
  const boxOf = (word: number) => layout.peek()?.tiles[order().indexOf(word)]?.word ?? { x: 0, y: 0, width: 0, height: 0 };
  const drag = new WordDrag({
    placeOf: (word) => order().indexOf(word),
    centreOf: (word) => {
      const { x, y, width, height } = boxOf(word);
      return { x: x + width / 2, y: y + height / 2 };
    },
    placeAt: (word, x, y) => {
      const boxes = layout.peek()?.tiles.map(({ box }) => box) ?? [];
      return placeUnder(boxes, order().indexOf(word), x, y);
    },
    move,
    shift: (word, x, y) => {
      const { x: left, y: top } = boxOf(word);
      tileOf(word)?.style.setProperty('transform', `translate(${left + x}px, ${top + y}px)`);
    },
    drop: (word) => {
      const { x, y } = boxOf(word);
      tileOf(word)?.style.setProperty('transform', `translate(${x}px, ${y}px)`);
      touch();
    },
  });
  const hold = new LongPress();
  const keys = new WordKeys({ move, focus: (place) => tileOf(wordAt(place))?.focus(), announce, lift: touch });

  const onStage = (event: PointerEvent) => placeIn(part('.tiles'), event);
  const wordOf = (event: Event): number | undefined => {
    const tile = (event.target as Element).closest<HTMLElement>('.tile');
    return tile ? Number(tile.dataset.word) : undefined;
  };
  const picture = computed(() => {
    const shown = layout.value;
    const latest = computedOf.value;
    return latest && shown ? { numbers: latest.numbers, ...sentencePicture(latest.numbers, latest.spec, shown, look.value) } : undefined;
  });
  const height = computed(() => picture.value?.base.height);
  /** Takes hold of a word. */
  const take = (word: number, at: readonly [number, number]): void => {
    keys.drop();
    if (!locked) drag.press(word, ...at);
    choose(word);
  };
  const handlers = {
    press(event: PointerEvent): void {
      const word = wordOf(event);
      // A second finger zooms.
      if (!event.isPrimary) hold.end();
      if (word === undefined || event.button !== 0 || !event.isPrimary) return;
      const at = onStage(event);
      if (event.pointerType === 'mouse') {
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        take(word, at);
        return;
      }
      // A swipe that begins on a word scrolls the page.
      hold.begin(event.clientX, event.clientY, () => {
        take(word, at);
        drag.lift();
        touch();
      });
    },
    follow(event: PointerEvent): void {
      if (hold.isWaiting) {
        hold.move(event.clientX, event.clientY);
        return;
      }
      const at = onStage(event);
      if (drag.follow(...at)) {
        point(resting());
        touch();
        return;
      }
      const drawn = picture.peek();
      const shown = layout.peek();
      if (!drawn || !shown) return;
      const query = queryPlace(drawn.numbers, resting());
      point(wordCursor(drawn.numbers, shown, query, ...at) ?? resting());
    },
    dial(event: PointerEvent): void {
      point({ ...resting(), ...picture.peek()?.dialAt(...placeIn(part('.dials'), event)) });
    },
    release(event: PointerEvent): void {
      const word = wordOf(event);
      if (hold.end() && event.type === 'pointerup' && word !== undefined) choose(word);
      drag.release();
      touch();
    },
    /** What a browser does with a finger that rests or moves is not done to a word that is lifted. */
    keep(event: Event): void {
      if (drag.dragged !== undefined && event.cancelable) event.preventDefault();
    },
    leave(event: PointerEvent): void {
      if (event.pointerType !== 'touch') point(resting());
    },
    key(event: KeyboardEvent): void {
      const word = wordOf(event);
      if (word !== undefined) keys.press(event, word, order(), sentence.peek()?.words ?? [], layout.peek()?.toRight);
    },
    focus(event: Event): void {
      const word = wordOf(event);
      if (word !== undefined) choose(word);
    },
    blur(): void {
      keys.drop();
    },
  };

  /** The word that is chosen, pointed at by another figure, or shown at rest. */
  const selected = computed(() => {
    const placed = sentence.value?.order ?? [];
    const { query } = figure.cursor.value;
    return chosen.value ?? (query === undefined ? undefined : placed[query]) ?? placed[restingPlace(placed.length)];
  });

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
    });
  }

  function foot(): TemplateResult | typeof nothing {
    const shown = sentence.value;
    const word = selected.value;
    if (!shown || word === undefined) return nothing;
    const numbers = picture.value?.numbers;
    const parts = {
      ...shown,
      chosen: word,
      toRight: layout.value?.toRight ?? 1,
      numbers,
      query: numbers && queryPlace(numbers, figure.cursor.value),
      move,
      reset: () => figure.change({ order: [] }),
      retry: figure.retryWords,
    };
    return sentenceFoot(parts, locked);
  }

  // Not an element: a policy for content may forbid those.
  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  // Made once: the canvas stands in it.
  render(
    html`<div class="stage"><div class="drawing"></div><div class="overlay"></div></div>
      <div class="dials" @pointermove=${handlers.dial} @pointerdown=${handlers.dial} @pointerleave=${handlers.leave}></div>
      <div class="foot"></div>`,
    element,
  );
  const part = (name: string): HTMLElement => element.querySelector<HTMLElement>(name) as HTMLElement;
  const mounted = mountPicture(part('.drawing'));
  const clocks = mountPicture(part('.dials'));
  const owned: ReadonlySignal<string> = computed(() => (sentence.value?.order ?? []).map((word) => `word-${word}`).join(' '));
  let lastLabels = 0;
  let lastWidth = 0;
  let last: Pictured | undefined;
  const ends = [
    // The word that was chosen belongs to the sentence.
    effect(() => {
      if (text.value !== undefined) chosen.value = undefined;
    }),
    drawing(() => {
      void touched.value;
      const laid = layout.value;
      const stage = part('.stage');
      stage.classList.toggle('long', laid !== undefined && laid.size < SCROLLS);
      render(
        html`<div class="tiles" role="listbox" aria-label=${words.list} aria-orientation="horizontal" aria-describedby="word-keys"
          aria-owns=${owned.value} .style=${`width: ${laid?.width ?? 0}px; height: ${height.value ?? laid?.height ?? 0}px`}
          @pointerdown=${handlers.press} @pointermove=${handlers.follow} @pointerup=${handlers.release} @pointercancel=${handlers.release}
          @pointerleave=${handlers.leave} @touchmove=${handlers.keep} @contextmenu=${handlers.keep} @keydown=${handlers.key} @focusin=${handlers.focus} @focusout=${handlers.blur}>${tiles()}</div>
          <div class="hidden" id="word-keys">${words.keys}</div>`,
        part('.overlay'),
      );
      drag.show();
      if (lastLabels && laid && laid.labels !== lastLabels) keepInSight(stage, laid.tiles[order().indexOf(selected.peek() ?? -1)]?.box);
      lastLabels = laid?.labels ?? lastLabels;
    }, broken),
    drawing(() => {
      void touched.value;
      render(foot(), part('.foot'));
    }, broken),
    drawing(() => {
      const drawn = picture.value;
      const laid = layout.value;
      const shown = sentence.value;
      if (!drawn || !laid || !shown) return;
      const { numbers, base } = drawn;
      const ends = numbers.order.flatMap((word) => laid.tiles[shown.order.indexOf(word)]?.arc ?? []);
      const marks = drawn.at(figure.cursor.value, ends);
      const glide = laid.width === lastWidth && !isStep(last, numbers);
      mounted.update({ ...base, marks: [...base.marks, ...marks] }, { ...look.value, glide });
      const dials = drawn.dials?.(figure.cursor.value);
      part('.dials').hidden = dials === undefined;
      if (dials) clocks.update(dials, { ...look.value, glide });
      lastWidth = laid.width;
      last = numbers;
    }, broken),
    // What another figure no longer points at leaves the chosen word.
    effect(() => {
      if (Object.keys(figure.cursor.value).length === 0 && chosen.value !== undefined) point(resting());
    }),
  ];
  return () => {
    for (const end of ends) end();
    hold.end();
    mounted.dispose();
    clocks.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}
