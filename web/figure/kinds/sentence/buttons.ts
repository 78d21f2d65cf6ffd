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

const BUTTON_TEXTS: { readonly [id: string]: readonly [name: string, meaning: string] } = {
  none: ['No position', 'only the words'],
  alibi: ['ALiBi', 'penalizes distance'],
  rope: ['RoPE', 'rotates by position'],
};

const getButtonTexts = (id: string): readonly [name: string, meaning: string] =>
  BUTTON_TEXTS[id] ?? [capitalize(formatId(id)), 'encoding of this figure'];
const getEncodingName = (id: string): string | undefined => (id === 'none' ? undefined : getButtonTexts(id)[0]);

export const buttonStrings = {
  movePrompt: 'Move a word. Does any output change?',
  groupLabel: 'Positional encoding',
  buttonTexts: getButtonTexts,
  /** Returns the display name of an encoding; undefined for 'none'. */
  encodingName: getEncodingName,
  equalWords: (encoding: string | undefined, word: string, isSame: boolean) =>
    `${encoding === undefined ? 'Without positions' : `With ${encoding}`}, the two “${word}” have ${isSame ? 'equal' : 'different'} outputs.`,
  nothingChanged: 'Nothing changed.',
  outputsChanged: (changedCount: number, count: number) => strings.outcome(changedCount, count),
  orderMatters: (encoding: string | undefined) =>
    `${encoding === undefined ? 'The mask makes' : `${encoding} makes`} outputs depend on order.`,
  orderIgnored: (encoding: string | undefined) => `${encoding === undefined ? 'No positions' : encoding}: the move has no effect.`,
  sameOutput: strings.sameOutput,
  changedOutput: strings.changedOutput,
  outcomeLabel: (outcome: string) => `outputs ${outcome}`,
  moveToFront: (word: string) => `Move “${word}” to the front`,
  resetOrder: 'Reset order',
  moveEarlier: (word: string) => `Move earlier: ${word}`,
  moveLater: (word: string) => `Move later: ${word}`,
  verified: '✓ verified',
  barCodeLegend: (cellCount: number, head: number, headCount: number, seed: number | undefined) =>
    `Bar codes: ${cellCount} values of each output, before the move (above) and now (below). Untrained attention, head ${head} of ${headCount}${seed === undefined ? '' : `, seed ${seed}`}.`,
  unknownWords: 'Underlined words are not in the vocabulary and have random vectors.',
  retry: strings.retry,
} as const;

export interface ButtonsParts {
  readonly figure: LiveFigure<typeof fields, PartialResults>;
  readonly moves: WordMoves;
  readonly latestResult: WordSignals['latestResult'];
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
const getSuggestedWord = (count: number): number => Math.floor(count / 2);

function findEqualWords(originalWords: readonly string[]): readonly [number, number] | undefined {
  const firstRepeatedIndex = originalWords.findIndex((word, index) => originalWords.indexOf(word) < index && /\p{L}/u.test(word));
  // Uses the last repeated word, because the last word of the sentence is selected initially.
  const lastRepeatedIndex = originalWords.findLastIndex((word, index) => originalWords.indexOf(word) < index && /\p{L}/u.test(word));
  return firstRepeatedIndex < 0 ? undefined : [originalWords.indexOf(originalWords[lastRepeatedIndex] as string), lastRepeatedIndex];
}

function renderVerdict({ spec, results }: ResultWithMoves): TemplateResult {
  const { outputs, trial, words: originalWords } = results;
  const name = buttonStrings.encodingName(spec.encoding.id);
  if (!outputs?.isMoved) {
    const equalIndices = findEqualWords(originalWords);
    if (!equalIndices || !outputs) return html`${buttonStrings.movePrompt}`;
    const [, width = 0] = outputs.before.shape;
    const getOutput = (word: number) => outputs.before.data.subarray(word * width, (word + 1) * width);
    const isSame = largestDifference(getOutput(equalIndices[0]), getOutput(equalIndices[1])) <= computeOutputTolerance(trial);
    return html`${buttonStrings.equalWords(name, originalWords[equalIndices[0]] as string, isSame)}`;
  }
  const changedCount = outputs.isSame.filter((isSame) => !isSame).length;
  const [outcome, remark] =
    changedCount === 0
      ? [buttonStrings.nothingChanged, buttonStrings.orderIgnored(name)]
      : [buttonStrings.outputsChanged(changedCount, originalWords.length), buttonStrings.orderMatters(name)];
  return html`<b class=${changedCount === 0 ? 'same' : 'changed'}>${outcome}</b> ${remark}`;
}

function renderEncodingButtons(
  { spec, results: { moveResults } }: ResultWithMoves,
  choose: (moveResult: MoveResult) => void,
): TemplateResult {
  const ids = moveResults.map(({ encoding }) => encoding.id);
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = (ids.indexOf(spec.encoding.id) + step + ids.length) % ids.length;
    choose(moveResults[index] as MoveResult);
    (event.currentTarget as Element).querySelectorAll<HTMLElement>('button')[index]?.focus();
  };
  return html`<div class="pick" role="radiogroup" aria-label=${buttonStrings.groupLabel} @keydown=${handleKey}>${moveResults.map(
    (moveResult) => {
      const isChosen = moveResult.encoding.id === spec.encoding.id;
      const [name, meaning] = buttonStrings.buttonTexts(moveResult.encoding.id);
      const [sign, outcome] =
        moveResult.isSame === undefined ? ['', ''] : moveResult.isSame ? buttonStrings.sameOutput : buttonStrings.changedOutput;
      return html`<button type="button" role="radio" aria-checked=${isChosen} tabindex=${isChosen ? 0 : -1}
      aria-label=${[name, meaning, outcome && buttonStrings.outcomeLabel(outcome)].filter(Boolean).join(', ')}
      @click=${() => choose(moveResult)}><span class="name">${name}</span><span class="meaning">${meaning}</span><span class="outcome"><b>${sign}</b> <span>${outcome}</span></span></button>`;
    },
  )}</div>`;
}

function renderStepButtons(
  { getOrder, move, isLocked }: WordMoves,
  originalWords: readonly string[],
  chosenWord: number,
): TemplateResult | typeof nothing {
  if (isLocked) return nothing;
  const wordPosition = getOrder().indexOf(chosenWord);
  const word = originalWords[chosenWord] as string;
  const stepButton = (step: 1 | -1, label: string, arrow: string) =>
    html`<button type="button" aria-label=${label} ?disabled=${wordPosition + step < 0 || wordPosition + step >= originalWords.length} @click=${() => move(wordPosition, wordPosition + step)}>${arrow}</button>`;
  return html`<span class="steps">${stepButton(-1, buttonStrings.moveEarlier(word), '←')}${stepButton(1, buttonStrings.moveLater(word), '→')}</span>`;
}

export function attachButtons(container: HTMLElement, parts: ButtonsParts): () => void {
  const { figure, moves, latestResult, activeWord, reportError } = parts;
  const isOpen = signal(false);
  const choose = ({ encoding }: MoveResult): void => figure.change({ encoding });
  const demonstration = startDemonstration(container, { ...parts, startPosition: getSuggestedWord, endPosition: () => 0 });
  const disposers = [
    drawOnChange(() => {
      const result = latestResult.value as ResultWithMoves | undefined;
      if (!result?.results.moveResults) return;
      const { results, spec } = result;
      const { words: originalWords, trial } = results;
      const isMoved = !isIdentity(results.order);
      const word = getSuggestedWord(originalWords.length);
      const moveWord = (): void => moves.move(moves.getOrder().indexOf(word), 0);
      const proof = createOrderProof(trial);
      const residual = STRINGS.residual(proof.quantity, formatNumber(proof.residual), formatNumber(proof.tolerance, { short: true }));
      render(
        html`<p class="verdict">${renderVerdict(result)}</p>
          ${figure.locked.includes('encoding') ? nothing : renderEncodingButtons(result, choose)}
          <div class="row">${
            moves.isLocked || originalWords.length < 2
              ? nothing
              : html`<button type="button" class="text" @click=${isMoved ? moves.reset : moveWord}>${isMoved ? buttonStrings.resetOrder : buttonStrings.moveToFront(originalWords[word] as string)}</button>`
          }${renderStepButtons(moves, originalWords, activeWord.value)}
          <button type="button" class="checked" aria-expanded=${isOpen.value} @click=${() => {
            isOpen.value = !isOpen.peek();
          }}>${buttonStrings.verified}</button></div>
          ${isOpen.value ? html`<p class="proof-said">${proof.conclusion} ${capitalize(residual)}.</p>` : nothing}
          <p class="legend">${buttonStrings.barCodeLegend(Math.min(16, results.embeddings.shape[1] ?? 0), clampHeadIndex(spec) + 1, spec.heads, spec.projections === 'identity' ? undefined : spec.seed)}
            ${results.problem ? html`<span role="alert">${results.problem} <button type="button" class="text" @click=${figure.retryWords}>${buttonStrings.retry}</button></span>` : nothing}
            ${results.isKnown.includes(false) ? buttonStrings.unknownWords : nothing}</p>`,
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
