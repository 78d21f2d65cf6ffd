// Paints the animated parts of a sentence: words that are moved or dragged, their weights, and the gaps in their bar
// codes.
import type { ReadonlySignal } from '@preact/signals-core';
import { interpolateMarks } from '../../../charts/render/glide.ts';
import type { MountedPicture } from '../../../charts/render/screen.ts';
import type { Cursor } from '../../../charts/scene.ts';
import type { Look } from '../../contract/theme.ts';
import type { SentenceLayout } from '../../words/layout.ts';
import { paintTile } from '../../words/tiles.ts';
import { AnimatedResults, GLIDE_MS } from '../../words/travel.ts';
import type { WordSignals } from './arranged-words.ts';
import { hasOnlyNumberChanges, type SentenceData } from './compute.ts';
import { type AnimatedToken, computeRestingStates, type SentencePicture } from './picture.ts';

export type DrawnSentence = SentencePicture & { readonly results: SentenceData };

export interface PainterOptions extends Pick<WordSignals, 'text' | 'sentence'> {
  readonly element: HTMLElement;
  readonly layout: ReadonlySignal<SentenceLayout | undefined>;
  readonly picture: ReadonlySignal<DrawnSentence | undefined>;
  readonly look: ReadonlySignal<Look>;
  readonly reducedMotion: MediaQueryList;
  /** Returns the containers of the sentence and its clocks. Must not be called before they are rendered. */
  readonly getContainers: () => { readonly drawing: MountedPicture; readonly clocks: MountedPicture; readonly dials: HTMLElement };
  /** Returns the cursor in the word order of `results`, which may lag behind the displayed order. */
  cursorIn(results: SentenceData): Cursor;
  reportError(thrown: unknown): void;
}

export function createPainter({
  element,
  text,
  sentence,
  layout,
  picture,
  look,
  reducedMotion,
  getContainers,
  cursorIn,
  reportError,
}: PainterOptions) {
  /** Left and top edge of each word, px. */
  const animatedPositions = new AnimatedResults(() => paint());
  /** The weight of each word, and the gap of its bar code. */
  const animatedWeights = new AnimatedResults(() => paint());
  let draggedWord: { readonly word: number; readonly x: number; readonly y: number } | undefined;
  let moveDuration = GLIDE_MS;
  const getMoveDuration = (): number => (reducedMotion.matches ? 0 : moveDuration);
  let lastLayoutKey = '';
  let lastResults: SentenceData | undefined;

  function paint(): void {
    try {
      paintFrame();
    } catch (thrown) {
      // Deferred, so that the effect does not subscribe to signals that `reportError` reads.
      queueMicrotask(() => reportError(thrown));
    }
  }

  function paintFrame(): void {
    const currentLayout = layout.peek();
    const currentSentence = sentence.peek();
    const drawnSentence = picture.peek();
    if (!currentLayout || !currentSentence) return;
    const { theme } = look.peek();
    const wordStates = currentSentence.words.map((_, word): AnimatedToken => {
      const isDragged = draggedWord?.word === word;
      const topLeft =
        isDragged && draggedWord
          ? draggedWord
          : { x: animatedPositions.values[2 * word] ?? 0, y: animatedPositions.values[2 * word + 1] ?? 0 };
      return {
        x: topLeft.x,
        y: topLeft.y,
        weight: animatedWeights.values[2 * word] ?? Number.NaN,
        split: animatedWeights.values[2 * word + 1] ?? 0,
        isDragged,
      };
    });
    for (const tile of element.querySelectorAll<HTMLElement>('.tile')) {
      const state = wordStates[Number(tile.dataset.word)];
      if (state) paintTile(tile, state, theme, drawnSentence !== undefined);
    }
    if (!drawnSentence) return;
    const { base } = drawnSentence;
    const { rasters, marks } = drawnSentence.drawParts(cursorIn(drawnSentence.results), wordStates, currentSentence.order);
    getContainers().drawing.update(
      { ...base, rasters: [...base.rasters, ...rasters], marks: [...base.marks, ...marks] },
      { ...look.peek() },
    );
  }

  return {
    paint,
    carry(word: number, x: number, y: number): void {
      draggedWord = { word, x, y };
      paint();
    },
    drop(word: number): void {
      if (draggedWord) animatedPositions.jumpTo(2 * word, [draggedWord.x, draggedWord.y], getMoveDuration());
      draggedWord = undefined;
      paint();
    },
    runSlowly(move: () => void, duration: number): void {
      moveDuration = duration;
      move();
      moveDuration = GLIDE_MS;
    },
    /**
     * Animates words, weights and clocks to their current targets. Call it in an effect, so that it runs again when the
     * targets change.
     */
    follow(): void {
      const drawnSentence = picture.value;
      const currentLayout = layout.value;
      const currentSentence = sentence.value;
      if (!currentLayout || !currentSentence) return;
      const layoutKey = [currentLayout.width, currentLayout.fontSize, currentLayout.largeTileSizes?.arcHeight, text.value].join();
      const isNewLayout = layoutKey !== lastLayoutKey;
      lastLayoutKey = layoutKey;
      const coordinates = currentSentence.words.flatMap((_, word) => {
        const { x = 0, y = 0 } = currentLayout.tiles[currentSentence.order.indexOf(word)]?.word ?? {};
        return [x, y];
      });
      animatedPositions.animateTo(coordinates, isNewLayout ? 0 : getMoveDuration());
      if (drawnSentence) {
        const { results } = drawnSentence;
        const cursor = cursorIn(results);
        const wordStates = computeRestingStates(currentLayout, currentSentence.order, results, cursor);
        const isInstant = isNewLayout || lastResults === undefined || hasOnlyNumberChanges(lastResults, results) || reducedMotion.matches;
        animatedWeights.animateTo(
          wordStates.flatMap(({ weight, split }) => [weight, split]),
          isInstant ? 0 : GLIDE_MS,
        );
        const clocksPicture = drawnSentence.drawClocks?.(cursor);
        const { clocks, dials } = getContainers();
        dials.hidden = clocksPicture === undefined;
        if (clocksPicture) clocks.update(clocksPicture, { ...look.value, interpolator: isInstant ? undefined : interpolateMarks });
        lastResults = results;
      }
      paint();
    },
    end(): void {
      animatedPositions.end();
      animatedWeights.end();
    },
  };
}
