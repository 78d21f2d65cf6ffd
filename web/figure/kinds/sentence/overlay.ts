// Renders the words as a list of HTML tiles over the canvas.
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { nothing, type TemplateResult } from 'lit';
import type { LiveFigure } from '../../contract/kind.ts';
import type { createDragHandlers } from '../../words/drag.ts';
import type { SentenceLayout } from '../../words/layout.ts';
import { ReadingOrder, renderTileList } from '../../words/tiles.ts';
import type { WordSignals } from './arranged-words.ts';
import type { fields, PartialResults } from './compute.ts';
import type { DrawnSentence } from './painter.ts';
import { strings } from './strings.ts';

export interface OverlayOptions extends Pick<WordSignals, 'sentence' | 'isKnown'> {
  readonly figure: LiveFigure<typeof fields, PartialResults>;
  readonly layout: ReadonlySignal<SentenceLayout | undefined>;
  readonly picture: ReadonlySignal<DrawnSentence | undefined>;
  readonly activeWord: ReadonlySignal<number>;
  readonly dragHandlers: ReturnType<typeof createDragHandlers>;
}

/** @returns a function that renders the list. Call it in an effect, because it reads signals and the drag state */
export function createOverlay({
  figure,
  sentence,
  isKnown,
  layout,
  picture,
  activeWord,
  dragHandlers,
}: OverlayOptions): () => TemplateResult | typeof nothing {
  const { drag, keys, handlers } = dragHandlers;
  const readingOrder = new ReadingOrder();
  const height = computed(() => picture.value?.base.height);

  function describeWeight(word: number): string | undefined {
    const results = picture.value?.results;
    if (!results || !layout.value?.largeTileSizes) return undefined;
    const query = results.order.indexOf(activeWord.value);
    const weight = results.weights.data[query * results.order.length + results.order.indexOf(word)] as number;
    return strings.attentionShare(strings.share(weight), results.placedWords[query] as string);
  }

  return () => {
    const currentSentence = sentence.value;
    const currentLayout = layout.value;
    if (!currentSentence || !currentLayout) return nothing;
    const parts = {
      ...currentSentence,
      layout: currentLayout,
      selectedWord: activeWord.value,
      liftedWord: keys.liftedWord,
      draggedWord: drag.draggedWord,
      pointedPosition: figure.cursor.value.key,
      isUnknown: (word: number) => isKnown.value?.[word] === false,
      weightText: describeWeight,
    };
    return renderTileList(parts, readingOrder, height.value ?? currentLayout.height, handlers);
  };
}
