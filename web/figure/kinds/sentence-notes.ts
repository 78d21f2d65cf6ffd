// The lines below the sentence: how words are moved, what is not drawn or not known, and the way back to the order as written.
import { html, nothing, type TemplateResult } from 'lit';
import { isIdentity, type Order } from '../../sentence/order.ts';
import { strongestWeights } from '../../sentence/strongest.ts';
import type { Numbers } from './sentence-numbers.ts';
import { weightsOf } from './sentence-picture.ts';
import { words } from './sentence-words.ts';

export interface NotesOptions {
  /** The order on the screen. */
  readonly order: Order | undefined;
  readonly locked: boolean;
  /** The place of the word whose weights are drawn. */
  readonly query: number;
  putBack(): void;
}

const positive = (list: Float32Array | undefined): number => list?.filter((weight) => weight > 0).length ?? 0;

/** `numbers`: those of the picture; none without one. */
export function sentenceNotes(numbers: Numbers | undefined, { order, locked, query, putBack }: NotesOptions): TemplateResult {
  const weights = numbers && weightsOf(numbers, query);
  const all = positive(weights);
  const drawn = positive(weights && strongestWeights(weights));
  const [sample, meaning] = words.unknown.split(':');
  return html`<div class="notes">
      ${locked ? nothing : html`<span class="hint">${words.hint}</span>`}
      ${numbers?.known.includes(false) ? html`<span><span class="sample">${sample}</span>:${meaning}</span>` : nothing}
      ${numbers?.problem ? html`<span role="alert">${numbers.problem}</span>` : nothing}
      ${drawn < all ? html`<span>${words.omitted(drawn, all)}</span>` : nothing}
      ${!locked && order && !isIdentity(order) ? html`<button type="button" @click=${putBack}>${words.putBack}</button>` : nothing}
    </div>`;
}
