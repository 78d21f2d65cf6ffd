// The sentence on the page: tiles of words that are dragged or moved by keys, over a canvas with arcs, stripes and clocks.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult, unsafeCSS } from 'lit';
import { mountPicture } from '../../../views/render/screen.ts';
import type { LiveFigure, Stage } from '../../contract/kind.ts';
import { drawing } from '../../runtime/scene-source.ts';
import { arrangedWords } from './arranged-words.ts';
import { sentenceFoot } from './foot.ts';
import { sentenceLayout } from './layout.ts';
import { type fields, isStep, type Pictured } from './numbers.ts';
import { queryPlace, restingPlace, sentencePicture } from './picture.ts';
import { keepInSight, labelSize } from './room.ts';
import style from './surface.css?inline';
import { sentenceTiles } from './tiles.ts';
import { wordHands } from './word-hands.ts';
import { wordMoves } from './word-moves.ts';
import { words } from './words.ts';

/** Below this font size (px) a text is long and scrolls. */
const SCROLLS = 20;

const sheet = unsafeCSS(style);

export function sentenceSurface(
  figure: LiveFigure<typeof fields, Pictured>,
  { element, width, maxHeight, look, announce, broken }: Stage,
): () => void {
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
  const moves = wordMoves(figure, sentence, announce);
  const { chosen, order, point, resting } = moves;
  const picture = computed(() => {
    const shown = layout.value;
    const latest = computedOf.value;
    return latest && shown ? { numbers: latest.numbers, ...sentencePicture(latest.numbers, latest.spec, shown, look.value) } : undefined;
  });
  const height = computed(() => picture.value?.base.height);
  const part = (name: string): HTMLElement => element.querySelector<HTMLElement>(name) as HTMLElement;
  const hands = wordHands({ element, sentence, layout, picture, moves, part, announce, touch });
  const { drag, keys, handlers } = hands;

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
      move: moves.move,
      reset: () => figure.change({ order: [] }),
      retry: figure.retryWords,
    };
    return sentenceFoot(parts, moves.locked);
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
    hands.end();
    mounted.dispose();
    clocks.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}
