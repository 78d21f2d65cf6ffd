// Controls below a sentence with `buttons`: a summary of the outputs that changed, a button for each of three encodings
// with the effect of the same move, and a button that moves a word. On the first visit, a word moves automatically.
import { type ReadonlySignal, signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult } from 'lit';
import { formatId } from '../../../charts/english.ts';
import { largestDifference } from '../../../charts/grid.ts';
import { capitalize, formatNumber } from '../../../charts/number.ts';
import { isIdentity } from '../../../sentence/order.ts';
import { computeOutputTolerance, createOrderProof, type OrderComparison } from '../../compute/output-proof.ts';
import { clampHeadIndex } from '../../compute/sentence-fields.ts';
import type { LiveFigure } from '../../contract/kind.ts';
import { STRINGS } from '../../contract/strings.ts';
import { drawOnChange } from '../../runtime/scene-source.ts';
import { startDemonstration } from '../../words/demonstration.ts';
import type { WordMoves } from '../../words/drag.ts';
import type { WordSignals } from './arranged-words.ts';
import type { fields, PartialResults, Spec } from './compute.ts';
import type { MoveResult } from './outcome.ts';
import { strings } from './strings.ts';

const NAMES: { readonly [id: string]: readonly [name: string, meaning: string] } = {
  none: ['No position', 'only the words'],
  alibi: ['ALiBi', 'penalizes distance'],
  rope: ['RoPE', 'rotates by position'],
};

const buttonTexts = (id: string): readonly [name: string, meaning: string] =>
  NAMES[id] ?? [capitalize(formatId(id)), 'encoding of this figure'];
const name = (id: string): string | undefined => (id === 'none' ? undefined : buttonTexts(id)[0]);

export const buttonStrings = {
  ask: 'Move a word. Does any output change?',
  group: 'Positional encoding',
  button: buttonTexts,
  /** Returns the display name of an encoding; undefined for 'none'. */
  name,
  twins: (encoding: string | undefined, word: string, isSame: boolean) =>
    `${encoding === undefined ? 'Without positions' : `With ${encoding}`}, the two “${word}” have ${isSame ? 'equal' : 'different'} outputs.`,
  nothing: 'Nothing changed.',
  some: (changed: number, count: number) => strings.outcome(changed, count),
  noticed: (encoding: string | undefined) => `${encoding === undefined ? 'The mask makes' : `${encoding} makes`} outputs depend on order.`,
  unnoticed: (encoding: string | undefined) => `${encoding === undefined ? 'No positions' : encoding}: the move has no effect.`,
  same: strings.same,
  changed: strings.changed,
  outputs: (outcome: string) => `outputs ${outcome}`,
  toFront: (word: string) => `Move “${word}” to the front`,
  putBack: 'Reset order',
  earlier: (word: string) => `Move earlier: ${word}`,
  later: (word: string) => `Move later: ${word}`,
  checked: '✓ verified',
  legend: (cells: number, head: number, heads: number, seed: number | undefined) =>
    `Bar codes: ${cells} values of each output, before the move (above) and now (below). Untrained attention, head ${head} of ${heads}${seed === undefined ? '' : `, seed ${seed}`}.`,
  unknown: 'Underlined words are not in the vocabulary and have random vectors.',
  retry: strings.retry,
} as const;

export interface ButtonsParts {
  readonly figure: LiveFigure<typeof fields, PartialResults>;
  readonly moves: WordMoves;
  readonly computedOf: WordSignals['latestResult'];
  readonly activeWord: ReadonlySignal<number>;
  readonly reducedMotionQuery: MediaQueryList;
  reportError(thrown: unknown): void;
  /** Calls `move`. The words that it moves are animated for `duration` ms. */
  runSlowly(move: () => void, duration: number): void;
}

interface ResultWithMoves {
  readonly spec: Spec;
  readonly results: PartialResults & { readonly trial: OrderComparison; readonly moveResults: readonly MoveResult[] };
}

/** Returns the index of the middle word, which the button moves to the front. */
const suggestedWord = (count: number): number => Math.floor(count / 2);

function findEqualWords(originalWords: readonly string[]): readonly [number, number] | undefined {
  const second = originalWords.findIndex((word, at) => originalWords.indexOf(word) < at && /\p{L}/u.test(word));
  // Uses the last repeated word, because the last word of the sentence is selected initially.
  const lastRepeatedIndex = originalWords.findLastIndex((word, at) => originalWords.indexOf(word) < at && /\p{L}/u.test(word));
  return second < 0 ? undefined : [originalWords.indexOf(originalWords[lastRepeatedIndex] as string), lastRepeatedIndex];
}

function renderVerdict({ spec, results }: ResultWithMoves): TemplateResult {
  const { outputs, trial, words: originalWords } = results;
  const name = buttonStrings.name(spec.encoding.id);
  if (!outputs?.isMoved) {
    const equalIndices = findEqualWords(originalWords);
    if (!equalIndices || !outputs) return html`${buttonStrings.ask}`;
    const [, width = 0] = outputs.before.shape;
    const outputOf = (word: number) => outputs.before.data.subarray(word * width, (word + 1) * width);
    const isSame = largestDifference(outputOf(equalIndices[0]), outputOf(equalIndices[1])) <= computeOutputTolerance(trial);
    return html`${buttonStrings.twins(name, originalWords[equalIndices[0]] as string, isSame)}`;
  }
  const changedCount = outputs.isSame.filter((isSame) => !isSame).length;
  const [outcome, remark] =
    changedCount === 0
      ? [buttonStrings.nothing, buttonStrings.unnoticed(name)]
      : [buttonStrings.some(changedCount, originalWords.length), buttonStrings.noticed(name)];
  return html`<b class=${changedCount === 0 ? 'same' : 'changed'}>${outcome}</b> ${remark}`;
}

function renderEncodingButtons({ spec, results: { moveResults } }: ResultWithMoves, choose: (one: MoveResult) => void): TemplateResult {
  const ids = moveResults.map(({ encoding }) => encoding.id);
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (ids.indexOf(spec.encoding.id) + step + ids.length) % ids.length;
    choose(moveResults[at] as MoveResult);
    (event.currentTarget as Element).querySelectorAll<HTMLElement>('button')[at]?.focus();
  };
  return html`<div class="pick" role="radiogroup" aria-label=${buttonStrings.group} @keydown=${handleKey}>${moveResults.map((one) => {
    const isChosen = one.encoding.id === spec.encoding.id;
    const [name, meaning] = buttonStrings.button(one.encoding.id);
    const [sign, outcome] = one.isSame === undefined ? ['', ''] : one.isSame ? buttonStrings.same : buttonStrings.changed;
    return html`<button type="button" role="radio" aria-checked=${isChosen} tabindex=${isChosen ? 0 : -1}
      aria-label=${[name, meaning, outcome && buttonStrings.outputs(outcome)].filter(Boolean).join(', ')}
      @click=${() => choose(one)}><span class="name">${name}</span><span class="meaning">${meaning}</span><span class="outcome"><b>${sign}</b> <span>${outcome}</span></span></button>`;
  })}</div>`;
}

function renderStepButtons(
  { getOrder, move, isLocked }: WordMoves,
  originalWords: readonly string[],
  chosen: number,
): TemplateResult | typeof nothing {
  if (isLocked) return nothing;
  const wordPosition = getOrder().indexOf(chosen);
  const word = originalWords[chosen] as string;
  const stepButton = (by: 1 | -1, label: string, arrow: string) =>
    html`<button type="button" aria-label=${label} ?disabled=${wordPosition + by < 0 || wordPosition + by >= originalWords.length} @click=${() => move(wordPosition, wordPosition + by)}>${arrow}</button>`;
  return html`<span class="steps">${stepButton(-1, buttonStrings.earlier(word), '←')}${stepButton(1, buttonStrings.later(word), '→')}</span>`;
}

export function attachButtons(container: HTMLElement, parts: ButtonsParts): () => void {
  const { figure, moves, computedOf, activeWord, reportError } = parts;
  const isOpen = signal(false);
  const choose = ({ encoding }: MoveResult): void => figure.change({ encoding });
  const demonstration = startDemonstration(container, { ...parts, startPosition: suggestedWord, endPosition: () => 0 });
  const disposers = [
    drawOnChange(() => {
      const result = computedOf.value as ResultWithMoves | undefined;
      if (!result?.results.moveResults) return;
      const { results, spec } = result;
      const { words: originalWords, trial } = results;
      const isMoved = !isIdentity(results.order);
      const word = suggestedWord(originalWords.length);
      const moveWord = (): void => moves.move(moves.getOrder().indexOf(word), 0);
      const proof = createOrderProof(trial);
      const residual = STRINGS.residual(proof.quantity, formatNumber(proof.residual), formatNumber(proof.tolerance, { short: true }));
      render(
        html`<p class="verdict">${renderVerdict(result)}</p>
          ${figure.locked.includes('encoding') ? nothing : renderEncodingButtons(result, choose)}
          <div class="row">${
            moves.isLocked || originalWords.length < 2
              ? nothing
              : html`<button type="button" class="text" @click=${isMoved ? moves.reset : moveWord}>${isMoved ? buttonStrings.putBack : buttonStrings.toFront(originalWords[word] as string)}</button>`
          }${renderStepButtons(moves, originalWords, activeWord.value)}
          <button type="button" class="checked" aria-expanded=${isOpen.value} @click=${() => {
            isOpen.value = !isOpen.peek();
          }}>${buttonStrings.checked}</button></div>
          ${isOpen.value ? html`<p class="proof-said">${proof.conclusion} ${capitalize(residual)}.</p>` : nothing}
          <p class="legend">${buttonStrings.legend(Math.min(16, results.embeddings.shape[1] ?? 0), clampHeadIndex(spec) + 1, spec.heads, spec.projections === 'identity' ? undefined : spec.seed)}
            ${results.problem ? html`<span role="alert">${results.problem} <button type="button" class="text" @click=${figure.retryWords}>${buttonStrings.retry}</button></span>` : nothing}
            ${results.isKnown.includes(false) ? buttonStrings.unknown : nothing}</p>`,
        container,
      );
      demonstration.ready();
    }, reportError),
  ];
  return () => {
    demonstration.end();
    for (const dispose of disposers) dispose();
    render(nothing, container);
  };
}
