// The interactive sentence: draggable word tiles over a canvas with ribbons or arcs, with clocks and other content
// below.

import { computed, effect, signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult, unsafeCSS } from 'lit';
import type { Box } from '../../../charts/picture.ts';
import { mountPicture } from '../../../charts/render/screen.ts';
import type { Cursor, LiveFigure, SurfaceContainer } from '../../contract/kind.ts';
import { drawOnChange } from '../../runtime/scene-source.ts';
import { getPointerPosition } from '../../surface/pointer-place.ts';
import { createDragHandlers, createWordMoves } from '../../words/drag.ts';
import { layoutSentence } from '../../words/layout.ts';
import show from '../../words/show.css?inline';
import { renderTiles } from '../../words/tiles.ts';
import style from '../../words/words.css?inline';
import { createWordSignals } from './arranged-words.ts';
import type { fields, PartialResults, SentenceData } from './compute.ts';
import { renderFoot } from './foot.ts';
import { getStripesNote } from './legend.ts';
import { describeMove } from './outcome.ts';
import { createOverlay } from './overlay.ts';
import { createPainter } from './painter.ts';
import { drawSentence, findCursor, getInitialWord, getQueryPosition } from './picture.ts';

/** Returns the font size of labels in px, if the style sheet sets one. It is larger in presentations. */
const getLabelSize = (element: Element): number | undefined =>
  Number.parseFloat(getComputedStyle(element).getPropertyValue('--sentence-labels')) || undefined;

/** Scrolls a long sentence to a word below the visible area, and keeps some lines above the word visible. */
function scrollToWord(stage: Element, word: Box | undefined): void {
  const height = stage.clientHeight;
  if (word && word.y + word.height > height) stage.scrollTop = word.y - height / 3;
}

/** Minimum font size of a text that does not scroll, px. */
const MIN_FONT_SIZE = 20;

const sheet = unsafeCSS(style + show);

export function sentenceSurface(
  figure: LiveFigure<typeof fields, PartialResults>,
  { element, width, maxHeight, look, announce, reportError }: SurfaceContainer,
): () => void {
  /** Incremented when a word is lifted or dragged, to rerun effects: no other signal changes then. */
  const tileChanges = signal(0);
  const notifyTileChange = (): void => {
    tileChanges.value += 1;
  };
  const { text, sentence, latestResult, isKnown } = createWordSignals(figure);
  const hasButtons = computed(() => latestResult.value?.spec.buttons ?? false);
  const layout = computed(() => {
    const currentSentence = sentence.value;
    if (!currentSentence || width.value < 40) return undefined;
    return layoutSentence(
      currentSentence.order.map((word) => currentSentence.words[word] as string),
      { width: width.value, maxHeight: maxHeight.value, requestedLabelSize: getLabelSize(element), hasCodes: hasButtons.value },
    );
  });
  const moves = createWordMoves(figure, sentence, announce);
  const { selectedWord, getOrder, setCursor, restingCursor: getRestingCursor } = moves;
  const picture = computed(() => {
    const currentLayout = layout.value;
    const result = latestResult.value;
    return result && currentLayout
      ? { results: result.results, ...drawSentence(result.results, result.spec, currentLayout, { theme: look.value.theme, hasTouch }) }
      : undefined;
  });
  const findElement = (name: string): HTMLElement => element.querySelector<HTMLElement>(name) as HTMLElement;

  /** The selected word, the word at the cursor of a linked figure, or the initially selected word. */
  const activeWord = computed(() => {
    const wordOrder = sentence.value?.order ?? [];
    const { query } = figure.cursor.value;
    return selectedWord.value ?? (query === undefined ? undefined : wordOrder[query]) ?? getInitialWord(wordOrder.length);
  });
  /** Converts the cursor to the word order of the result, which may lag behind the displayed order. */
  function cursorIn({ order: wordOrder }: SentenceData) {
    const { key, ...cursor } = figure.cursor.value;
    const word = key === undefined ? undefined : sentence.value?.order[key];
    return { ...cursor, query: wordOrder.indexOf(activeWord.value), ...(word === undefined ? {} : { key: wordOrder.indexOf(word) }) };
  }

  const hasTouch = matchMedia('(pointer: coarse)').matches;
  const reducedMotionQuery = matchMedia('(prefers-reduced-motion: reduce)');
  const painter = createPainter({
    ...{ element, text, sentence, layout, picture, look, reducedMotion: reducedMotionQuery, cursorIn, reportError },
    getContainers: () => ({ drawing: mountedPicture, clocks, dials: findElement('.dials') }),
  });
  function findCursorAt(x: number, y: number): Cursor | undefined {
    const currentPicture = picture.peek();
    const currentLayout = layout.peek();
    return (
      currentPicture &&
      currentLayout &&
      findCursor(currentPicture.results, currentLayout, getQueryPosition(currentPicture.results, getRestingCursor()), x, y)
    );
  }
  const handleClockPointer = (event: PointerEvent): void => {
    setCursor({ ...getRestingCursor(), ...picture.peek()?.cursorAtClock(...getPointerPosition(findElement('.dials'), event)) });
  };
  const dragHandlers = createDragHandlers({
    element,
    sentence,
    layout,
    moves,
    cursorAt: findCursorAt,
    findPart: findElement,
    announce,
    onTilesChange: notifyTileChange,
    carry: painter.carry,
    drop: painter.drop,
  });
  const { handlers } = dragHandlers;
  const overlay = createOverlay({ figure, sentence, isKnown, layout, picture, activeWord, dragHandlers });

  function renderFootContent(): TemplateResult | typeof nothing {
    const currentSentence = sentence.value;
    if (!currentSentence) return nothing;
    const results = picture.value?.results;
    const parts = {
      ...currentSentence,
      chosenWord: activeWord.value,
      rightwardStep: layout.value?.nextDirection ?? 1,
      results,
      legend: results && layout.value && getStripesNote(results, layout.value),
      query: results && getQueryPosition(results, figure.cursor.value),
      move: moves.move,
      reset: moves.reset,
      retry: figure.retryWords,
    };
    return renderFoot(parts, moves.isLocked);
  }

  // Uses constructed style sheets, because a Content-Security-Policy may forbid style elements.
  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  // Rendered only once, because it contains the canvas.
  render(
    html`<div class="stage"><div class="drawing"></div><div class="overlay"></div></div>
      <div class="dials" hidden @pointermove=${handleClockPointer} @pointerdown=${handleClockPointer} @pointerleave=${handlers.leave}></div>
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
    // A new text clears the selection.
    effect(() => {
      if (text.value !== undefined) selectedWord.value = undefined;
    }),
    // The selection stays on a word when the word moves.
    effect(() => {
      if (sentence.value && selectedWord.value !== undefined) setCursor(getRestingCursor());
    }),
    drawOnChange(() => {
      void tileChanges.value;
      const currentLayout = layout.value;
      const stage = findElement('.stage');
      stage.classList.toggle('long', currentLayout !== undefined && currentLayout.fontSize < MIN_FONT_SIZE);
      stage.classList.toggle('large', currentLayout?.largeTileSizes !== undefined);
      renderTiles(overlay(), findElement('.overlay'));
      painter.paint();
      if (lastLabelSize && currentLayout && currentLayout.labelFontSize !== lastLabelSize)
        scrollToWord(stage, currentLayout.tiles[getOrder().indexOf(activeWord.peek())]?.box);
      lastLabelSize = currentLayout?.labelFontSize ?? lastLabelSize;
    }, reportError),
    drawOnChange(() => {
      void tileChanges.value;
      render(hasButtons.value ? nothing : renderFootContent(), findElement('.foot'));
    }, reportError),
    drawOnChange(painter.follow, reportError),
    // The cursor returns to the selected word when a linked figure removes its cursor.
    effect(() => {
      if (Object.keys(figure.cursor.value).length === 0 && selectedWord.value !== undefined) setCursor(getRestingCursor());
    }),
    effect(() => {
      const result = figure.computed.value;
      if (result?.results.trial) moves.announceMove(result.results, describeMove(result.results.order, result.results.trial));
    }),
    // The buttons' module is loaded after the first result, and only if the sentence has buttons.
    effect(() => {
      findElement('.show').hidden = !hasButtons.value;
      if (!hasButtons.value) return;
      void import('./buttons.ts').then(({ attachButtons }) => {
        if (isDisposed) return;
        disposeButtons();
        disposeButtons = attachButtons(findElement('.show'), {
          figure,
          moves,
          latestResult,
          activeWord,
          reducedMotionQuery,
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
    dragHandlers.end();
    painter.end();
    mountedPicture.dispose();
    clocks.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}
