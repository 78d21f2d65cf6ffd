// Renders the content below the words: the prediction as a sentence, encoding buttons, a text input and a description of the model.

import { html, nothing, type TemplateResult } from 'lit';
import { isIdentity } from '../../../sentence/order.ts';
import type { Results, Spec } from './compute.ts';
import { strings } from './strings.ts';

const MIN_CERTAIN_PROBABILITY = 0.9;

export function verdictParts({
  guesses,
  placedWords,
  copiedPosition,
  encoding,
  firstPosition,
}: Results): readonly [guess: string | undefined, remark: string] {
  const [likeliest] = guesses;
  const lastWord = placedWords.at(-1) ?? '';
  if (!likeliest) return [undefined, strings.nothingReturns];
  if (copiedPosition === undefined) {
    const inputWords = placedWords.slice(firstPosition).map((word) => word.toLowerCase());
    return [undefined, new Set(inputWords).size === inputWords.length ? strings.nothingReturns : strings.isNew(lastWord)];
  }
  const expectedWord = placedWords[copiedPosition] as string;
  const isCorrect = likeliest.word.toLowerCase() === expectedWord.toLowerCase();
  const guess = strings.sure(likeliest.word, likeliest.probability);
  if (encoding === 'none') return [guess, strings.blind];
  return [guess, isCorrect ? strings.followed(lastWord) : strings.missed(lastWord, expectedWord)];
}

export function renderVerdict(results: Results): TemplateResult {
  const [guess, remark] = verdictParts(results);
  const isCertain = (results.guesses[0]?.probability ?? 0) >= MIN_CERTAIN_PROBABILITY;
  return guess === undefined ? html`${remark}` : html`<b class=${isCertain ? 'same' : 'changed'}>${guess}</b> ${remark}`;
}

export interface NextWordActions {
  choose(encoding: string): void;
  /** Moves a word to the second position. `word` is its index in the original order. */
  move(word: number): void;
  reset(): void;
  write(text: string): void;
  open(): void;
}

export interface ContentState {
  /** Current field values. `results` may still be those for the previous values. */
  readonly spec: Pick<Spec, 'text' | 'encoding'>;
  readonly words: readonly string[];
  readonly order: readonly number[];
  readonly results: Results | undefined;
  readonly locked: readonly string[];
  readonly canMove: boolean;
  readonly isOpen: boolean;
}

/** Index of the word that the demonstration and the button move to the second position. */
export const suggestedWord = (count: number): number => Math.min(2, count - 1);

function notesOf({ model, firstPosition, hasOtherParams }: Results, isOpen: boolean): readonly string[] {
  return [
    ...(firstPosition > 0 ? [strings.unread(firstPosition)] : []),
    ...(hasOtherParams ? [strings.otherParams] : []),
    ...(isOpen ? [strings.about(model.steps, Number(model.spec.seed))] : []),
  ];
}

function renderButtonLabel(id: string, meaning: string, results: Results | undefined): TemplateResult {
  const guess = results?.encoding === id && results.copiedPosition !== undefined ? results.guesses[0] : results?.guessesByEncoding[id];
  return guess === undefined
    ? html`<span class="meaning">${meaning}</span>`
    : html`<span class="guess"><span>${guess.word}</span> ${strings.percent(guess.probability)}</span>`;
}

function renderEncodingButtons(
  { spec, locked, results }: ContentState,
  actions: NextWordActions | undefined,
): TemplateResult | typeof nothing {
  if (locked.includes('encoding')) return nothing;
  const chosenEncoding = spec.encoding.id;
  const ids = strings.offered.includes(chosenEncoding) ? strings.offered : [...strings.offered, chosenEncoding];
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (ids.indexOf(chosenEncoding) + step + ids.length) % ids.length;
    actions?.choose(ids[at] as string);
    (event.currentTarget as Element).querySelectorAll<HTMLElement>('button')[at]?.focus();
  };
  return html`<div class="pick four" role="radiogroup" aria-label=${strings.group} @keydown=${handleKey}>${ids.map((id) => {
    const [name, meaning] = strings.buttons(id);
    return html`<button type="button" role="radio" aria-checked=${id === chosenEncoding} tabindex=${id === chosenEncoding ? 0 : -1}
        @click=${() => actions?.choose(id)}><span class="name">${name}</span>${renderButtonLabel(id, meaning, results)}</button>`;
  })}</div>`;
}

function renderControls(
  { spec, words, order, locked, canMove, isOpen }: ContentState,
  actions: NextWordActions | undefined,
): TemplateResult {
  const isMoved = !isIdentity(order);
  const word = suggestedWord(words.length);
  const handleTextChange = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    if (value.trim() !== '') actions?.write(value);
  };
  return html`<div class="row">${
    !canMove || words.length < 3
      ? nothing
      : html`<button type="button" class="text" @click=${() => (isMoved ? actions?.reset() : actions?.move(word))}>${isMoved ? strings.putBack : strings.move(words[word] as string)}</button>`
  }${locked.includes('text') ? nothing : html`<input class="own" type="text" maxlength="2000" autocomplete="off" aria-label=${strings.own} placeholder=${strings.own} .value=${spec.text} @change=${handleTextChange}>`}
      <button type="button" class="text" aria-expanded=${isOpen} @click=${() => actions?.open()}>${strings.what}</button></div>`;
}

/** Renders the content below the words. Static HTML has no `actions`, so its controls have no effect. */
export function renderContent(state: ContentState, actions?: NextWordActions): TemplateResult {
  const { results, isOpen } = state;
  const notes = results ? notesOf(results, isOpen) : [];
  return html`<p class="verdict">${results ? renderVerdict(results) : nothing}</p>${renderEncodingButtons(state, actions)}${renderControls(state, actions)}
          ${notes.length > 0 ? html`<p class="legend">${notes.join(' ')}</p>` : nothing}`;
}

export function renderStaticContent(results: Results, spec: Spec, locked: readonly string[]): TemplateResult {
  const { words, order } = results;
  const state = { spec, words, order, results, locked, canMove: !locked.includes('order'), isOpen: false };
  return html`<div class="show short">${renderContent(state)}</div>`;
}
