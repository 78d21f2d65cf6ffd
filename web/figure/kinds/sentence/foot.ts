// Content below the sentence: buttons that move the selected word on touch screens, and notes about words and arcs.
import { html, nothing, type TemplateResult } from 'lit';
import { isIdentity, type Order } from '../../../sentence/order.ts';
import { keepStrongestWeights } from '../../../sentence/strongest.ts';
import type { SentenceData } from './compute.ts';
import { selectWeights } from './picture.ts';
import { strings } from './strings.ts';

export interface FootParts {
  readonly words: readonly string[];
  readonly order: Order;
  /** Index of the selected word in the original order. */
  readonly chosenWord: number;
  /** 1 if the next position is to the right; -1 in a right-to-left sentence. */
  readonly rightwardStep: 1 | -1;
  /** The result for the current words. Undefined until it is computed. */
  readonly results: SentenceData | undefined;
  /** The legend of the stripes. Undefined if the picture already contains it. */
  readonly legend: string | undefined;
  /** The position whose arcs are drawn. */
  readonly query: number | undefined;
  move(from: number, to: number): void;
  reset(): void;
  retry(): void;
}

function renderMoveButtons({ words: originalWords, order, chosenWord, rightwardStep, move }: FootParts): TemplateResult {
  const position = order.indexOf(chosenWord);
  const word = originalWords[chosenWord] as string;
  const moveButton = (step: 1 | -1, label: string, arrow: string): TemplateResult => {
    const targetPosition = position + step * rightwardStep;
    return html`<button type="button" aria-label=${label} ?disabled=${targetPosition < 0 || targetPosition >= order.length} @click=${() => move(position, targetPosition)}>${arrow}</button>`;
  };
  return html`<div class="moves">${moveButton(-1, strings.moveLeft(word), '←')}<span>${strings.wordPosition(word, position + 1, order.length)}</span>${moveButton(1, strings.moveRight(word), '→')}</div>`;
}

function renderNotes({ order, results, legend, query, reset, retry }: FootParts, isLocked: boolean): TemplateResult {
  const weights = results && query !== undefined ? selectWeights(results, query) : undefined;
  const countPositive = (values: Float32Array | undefined): number => values?.filter((weight) => weight > 0).length ?? 0;
  const count = countPositive(weights);
  const drawnCount = countPositive(weights && keepStrongestWeights(weights));
  const [sample, meaning] = strings.unknownWords.split(':');
  return html`<div class="notes">
      ${isLocked ? nothing : html`<span class="hint">${strings.hint}</span><span class="hint touch">${strings.touch}</span>`}
      ${results?.isKnown.includes(false) ? html`<span><span class="sample">${sample}</span>:${meaning}</span>` : nothing}
      ${results?.problem ? html`<span role="alert">${results.problem} <button type="button" @click=${retry}>${strings.retry}</button></span>` : nothing}
      ${legend === undefined ? nothing : html`<span>${strings.stripesNote(legend)}</span>`}
      ${drawnCount < count ? html`<span>${strings.omittedWeights(drawnCount, count)}</span>` : nothing}
      ${!isLocked && !isIdentity(order) ? html`<button type="button" @click=${reset}>${strings.putBack}</button>` : nothing}
    </div>`;
}

export const renderFoot = (parts: FootParts, isLocked: boolean): TemplateResult =>
  html`${isLocked ? nothing : renderMoveButtons(parts)}${renderNotes(parts, isLocked)}`;
