// The sentence on the page: draggable tiles of words over a canvas with ribbons or arcs, with clocks and further content below.

import { computed, effect, signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult, unsafeCSS } from 'lit';
import type { Box } from '../../../charts/picture.ts';
import { mountPicture } from '../../../charts/render/screen.ts';
import type { Cursor, LiveFigure, Stage } from '../../contract/kind.ts';
import { drawing } from '../../runtime/scene-source.ts';
import { placeIn } from '../../surface/pointer-place.ts';
import { dragHandlers, wordMoves } from '../../words/drag.ts';
import { sentenceLayout } from '../../words/layout.ts';
import show from '../../words/show.css?inline';
import { renderTiles } from '../../words/tiles.ts';
import style from '../../words/words.css?inline';
import { arrangedWords } from './arranged-words.ts';
import type { fields, PartialNumbers, SentenceData } from './compute.ts';
import { sentenceFoot } from './foot.ts';
import { noteOfStripes } from './legend.ts';
import { moveOutcome } from './outcome.ts';
import { sentenceOverlay } from './overlay.ts';
import { sentencePainter } from './painter.ts';
import { queryPosition, restingWord, sentencePicture, wordCursor } from './picture.ts';

/** The font size of labels, px, which is larger while the figure is presented. */
const labelSize = (element: Element): number | undefined =>
  Number.parseFloat(getComputedStyle(element).getPropertyValue('--sentence-labels')) || undefined;

/** Scrolls a long text to a word that is out of view, with some lines above it. */
function scrollToWord(stage: Element, word: Box | undefined): void {
  const height = stage.clientHeight;
  if (word && word.y + word.height > height) stage.scrollTop = word.y - height / 3;
}

/** Minimum font size of a text that does not scroll, px. */
const MIN_FONT_SIZE = 20;

const sheet = unsafeCSS(style + show);

export function sentenceSurface(
  figure: LiveFigure<typeof fields, PartialNumbers>,
  { element, width, maxHeight, look, announce, reportError }: Stage,
): () => void {
  /** Incremented when a word is lifted or dragged, because no other signal changes then. */
  const tileChanges = signal(0);
  const notifyTileChange = (): void => {
    tileChanges.value += 1;
  };
  const { text, sentence, latestResult, known } = arrangedWords(figure);
  const hasButtons = computed(() => latestResult.value?.spec.buttons ?? false);
  const layout = computed(() => {
    const currentSentence = sentence.value;
    if (!currentSentence || width.value < 40) return undefined;
    return sentenceLayout(
      currentSentence.order.map((word) => currentSentence.words[word] as string),
      { width: width.value, maxHeight: maxHeight.value, labels: labelSize(element), hasCodes: hasButtons.value },
    );
  });
  const moves = wordMoves(figure, sentence, announce);
  const { selectedWord, order, point, resting: getRestingCursor } = moves;
  const picture = computed(() => {
    const currentLayout = layout.value;
    const result = latestResult.value;
    return result && currentLayout
      ? { numbers: result.numbers, ...sentencePicture(result.numbers, result.spec, currentLayout, { theme: look.value.theme, isTouched }) }
      : undefined;
  });
  const findElement = (name: string): HTMLElement => element.querySelector<HTMLElement>(name) as HTMLElement;

  /** The selected word, the word at the cursor of a linked figure, or the initially selected word. */
  const activeWord = computed(() => {
    const wordOrder = sentence.value?.order ?? [];
    const { query } = figure.cursor.value;
    return selectedWord.value ?? (query === undefined ? undefined : wordOrder[query]) ?? restingWord(wordOrder.length);
  });
  /** The cursor in the order of the numbers, which may be older than the displayed order. */
  function cursorIn({ order: wordOrder }: SentenceData) {
    const { key, ...cursor } = figure.cursor.value;
    const word = key === undefined ? undefined : sentence.value?.order[key];
    return { ...cursor, query: wordOrder.indexOf(activeWord.value), ...(word === undefined ? {} : { key: wordOrder.indexOf(word) }) };
  }

  const isTouched = matchMedia('(pointer: coarse)').matches;
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  const painter = sentencePainter({
    ...{ element, text, sentence, layout, picture, look, reducedMotion, cursorIn, reportError },
    containers: () => ({ drawing: mountedPicture, clocks, dials: findElement('.dials') }),
  });
  function cursorAt(x: number, y: number): Cursor | undefined {
    const currentPicture = picture.peek();
    const currentLayout = layout.peek();
    return (
      currentPicture &&
      currentLayout &&
      wordCursor(currentPicture.numbers, currentLayout, queryPosition(currentPicture.numbers, getRestingCursor()), x, y)
    );
  }
  const pointAtClock = (event: PointerEvent): void => {
    point({ ...getRestingCursor(), ...picture.peek()?.dialAt(...placeIn(findElement('.dials'), event)) });
  };
  const dragging = dragHandlers({
    element,
    sentence,
    layout,
    moves,
    cursorAt,
    part: findElement,
    announce,
    tilesChanged: notifyTileChange,
    carry: painter.carry,
    drop: painter.drop,
  });
  const { handlers } = dragging;
  const overlay = sentenceOverlay({ figure, sentence, known, layout, picture, selected: activeWord, dragging });

  function foot(): TemplateResult | typeof nothing {
    const currentSentence = sentence.value;
    if (!currentSentence) return nothing;
    const numbers = picture.value?.numbers;
    const parts = {
      ...currentSentence,
      chosenWord: activeWord.value,
      rightwardStep: layout.value?.nextDirection ?? 1,
      numbers,
      legend: numbers && layout.value && noteOfStripes(numbers, layout.value),
      query: numbers && queryPosition(numbers, figure.cursor.value),
      move: moves.move,
      reset: moves.reset,
      retry: figure.retryWords,
    };
    return sentenceFoot(parts, moves.locked);
  }

  // Uses constructed style sheets, because a Content-Security-Policy may forbid style elements.
  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  // Rendered once, because it contains the canvas.
  render(
    html`<div class="stage"><div class="drawing"></div><div class="overlay"></div></div>
      <div class="dials" hidden @pointermove=${pointAtClock} @pointerdown=${pointAtClock} @pointerleave=${handlers.leave}></div>
      <div class="show"></div>
      <div class="foot"></div>`,
    element,
  );
  const mountedPicture = mountPicture(findElement('.drawing'));
  const clocks = mountPicture(findElement('.dials'));
  let lastLabelSize = 0;
  let isDisposed = false;
  let disposeButtons = (): void => {};
  const disposers = [
    // A new sentence clears the selection.
    effect(() => {
      if (text.value !== undefined) selectedWord.value = undefined;
    }),
    // A word stays selected when it moves.
    effect(() => {
      if (sentence.value && selectedWord.value !== undefined) point(getRestingCursor());
    }),
    drawing(() => {
      void tileChanges.value;
      const currentLayout = layout.value;
      const stage = findElement('.stage');
      stage.classList.toggle('long', currentLayout !== undefined && currentLayout.fontSize < MIN_FONT_SIZE);
      stage.classList.toggle('large', currentLayout?.largeParts !== undefined);
      renderTiles(overlay(), findElement('.overlay'));
      painter.paint();
      if (lastLabelSize && currentLayout && currentLayout.requestedLabelSize !== lastLabelSize)
        scrollToWord(stage, currentLayout.tiles[order().indexOf(activeWord.peek())]?.box);
      lastLabelSize = currentLayout?.requestedLabelSize ?? lastLabelSize;
    }, reportError),
    drawing(() => {
      void tileChanges.value;
      render(hasButtons.value ? nothing : foot(), findElement('.foot'));
    }, reportError),
    drawing(painter.follow, reportError),
    // A word stays selected when a linked figure removes its cursor.
    effect(() => {
      if (Object.keys(figure.cursor.value).length === 0 && selectedWord.value !== undefined) point(getRestingCursor());
    }),
    effect(() => {
      const result = figure.computed.value;
      if (result?.numbers.trial) moves.announceMove(result.numbers, moveOutcome(result.numbers.order, result.numbers.trial));
    }),
    // Loads the module only for sentences with buttons, once their first numbers are computed.
    effect(() => {
      findElement('.show').hidden = !hasButtons.value;
      if (!hasButtons.value) return;
      void import('./buttons.ts').then(({ sentenceButtons }) => {
        if (isDisposed) return;
        disposeButtons();
        disposeButtons = sentenceButtons(findElement('.show'), {
          figure,
          moves,
          computedOf: latestResult,
          selected: activeWord,
          reducedMotion,
          reportError,
          runSlowly: painter.runSlowly,
        });
      }, reportError);
    }),
  ];
  return () => {
    isDisposed = true;
    for (const dispose of disposers) dispose();
    disposeButtons();
    dragging.end();
    painter.end();
    mountedPicture.dispose();
    clocks.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}
