// The tiles over the canvas of a sentence, as a list of words.
import { computed, type ReadonlySignal } from '@preact/signals-core';
import { html, type TemplateResult } from 'lit';
import type { LiveFigure } from '../../contract/kind.ts';
import type { dragHandlers } from '../../words/drag.ts';
import type { SentenceLayout } from '../../words/layout.ts';
import { sentenceTiles } from '../../words/tiles.ts';
import type { ArrangedWords } from './arranged-words.ts';
import type { fields, Shown } from './compute.ts';
import type { Drawn } from './painter.ts';
import { strings } from './strings.ts';

export interface OverlaidWords extends Pick<ArrangedWords, 'sentence' | 'known'> {
  readonly figure: LiveFigure<typeof fields, Shown>;
  readonly layout: ReadonlySignal<SentenceLayout | undefined>;
  readonly picture: ReadonlySignal<Drawn | undefined>;
  readonly selected: ReadonlySignal<number>;
  readonly hands: ReturnType<typeof dragHandlers>;
}

/** @returns a function that renders the list, to be called in an effect: it reads the state of the tiles */
export function sentenceOverlay({ figure, sentence, known, layout, picture, selected, hands }: OverlaidWords): () => TemplateResult {
  const { drag, keys, handlers } = hands;
  const height = computed(() => picture.value?.base.height);
  const owned = computed(() => (sentence.value?.order ?? []).map((word) => `word-${word}`).join(' '));

  /** The text of a word's weight. */
  function message(word: number): string | undefined {
    const numbers = picture.value?.numbers;
    if (!numbers || !layout.value?.large) return undefined;
    const query = numbers.order.indexOf(selected.value);
    const weight = numbers.weights.data[query * numbers.order.length + numbers.order.indexOf(word)] as number;
    return strings.shareOf(strings.share(weight), numbers.placed[query] as string);
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
      said: message,
    });
  }

  return () => {
    const laid = layout.value;
    return html`<div class="tiles" role="listbox" aria-label=${strings.list} aria-orientation="horizontal" aria-describedby="word-keys"
          aria-owns=${owned.value} .style=${`width: ${laid?.width ?? 0}px; height: ${height.value ?? laid?.height ?? 0}px`}
          @pointerdown=${handlers.press} @pointermove=${handlers.follow} @pointerup=${handlers.release} @pointercancel=${handlers.release}
          @pointerleave=${handlers.leave} @touchmove=${handlers.keep} @contextmenu=${handlers.keep} @click=${handlers.click} @keydown=${handlers.key} @focusout=${handlers.blur}>${tiles()}</div>
          <div class="hidden" id="word-keys">${strings.keys}</div>`;
  };
}
