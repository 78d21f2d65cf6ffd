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
  if (!likeliest) return [undefined, strings.noRepeatedWord];
  if (copiedPosition === undefined) {
    const inputWords = placedWords.slice(firstPosition).map((word) => word.toLowerCase());
    return [undefined, new Set(inputWords).size === inputWords.length ? strings.noRepeatedWord : strings.newWordRemark(lastWord)];
  }
  const expectedWord = placedWords[copiedPosition] as string;
  const isCorrect = likeliest.word.toLowerCase() === expectedWord.toLowerCase();
  const guess = strings.prediction(likeliest.word, likeliest.probability);
  if (encoding === 'none') return [guess, strings.noPositionsRemark];
  return [guess, isCorrect ? strings.correctRemark(lastWord) : strings.wrongRemark(lastWord, expectedWord)];
}

export function renderVerdict(results: Results): TemplateResult {
  const [guess, remark] = verdictParts(results);
  const isCertain = (results.guesses[0]?.probability ?? 0) >= MIN_CERTAIN_PROBABILITY;
  return guess === undefined ? html`${remark}` : html`<b class=${isCertain ? 'same' : 'changed'}>${guess}</b> ${remark}`;
}

export interface NextWordActions {
  chooseEncoding(encoding: string): void;
  /** Moves a word to the second position. `word` is its index in the original order. */
  moveWord(word: number): void;
  resetOrder(): void;
  setText(text: string): void;
  toggleAbout(): void;
}

export interface ContentState {
  /** Current field values. `results` may still be those for the previous values. */
  readonly spec: Pick<Spec, 'text' | 'encoding'>;
  readonly words: readonly string[];
  readonly order: readonly number[];
  readonly results: Results | undefined;
  readonly locked: readonly string[];
  readonly canMove: boolean;
  readonly isAboutOpen: boolean;
}

/** Index of the word that the demonstration and the button move to the second position. */
export const suggestWordIndex = (count: number): number => Math.min(2, count - 1);

function createNotes({ model, firstPosition, hasOtherParams }: Results, isAboutOpen: boolean): readonly string[] {
  return [
    ...(firstPosition > 0 ? [strings.omittedWordsNote(firstPosition)] : []),
    ...(hasOtherParams ? [strings.defaultParamsNote] : []),
    ...(isAboutOpen ? [strings.modelNote(model.steps, Number(model.spec.seed))] : []),
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
  const ids = strings.offeredEncodings.includes(chosenEncoding) ? strings.offeredEncodings : [...strings.offeredEncodings, chosenEncoding];
  const handleKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = (ids.indexOf(chosenEncoding) + step + ids.length) % ids.length;
    actions?.chooseEncoding(ids[index] as string);
    (event.currentTarget as Element).querySelectorAll<HTMLElement>('button')[index]?.focus();
  };
  return html`<div class="pick four" role="radiogroup" aria-label=${strings.encodingsLabel} @keydown=${handleKey}>${ids.map((id) => {
    const [name, meaning] = strings.getButtonTexts(id);
    return html`<button type="button" role="radio" aria-checked=${id === chosenEncoding} tabindex=${id === chosenEncoding ? 0 : -1}
        @click=${() => actions?.chooseEncoding(id)}><span class="name">${name}</span>${renderButtonLabel(id, meaning, results)}</button>`;
  })}</div>`;
}

function renderControls(
  { spec, words, order, locked, canMove, isAboutOpen }: ContentState,
  actions: NextWordActions | undefined,
): TemplateResult {
  const isMoved = !isIdentity(order);
  const word = suggestWordIndex(words.length);
  const handleTextChange = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    if (value.trim() !== '') actions?.setText(value);
  };
  return html`<div class="row">${
    !canMove || words.length < 3
      ? nothing
      : html`<button type="button" class="text" @click=${() => (isMoved ? actions?.resetOrder() : actions?.moveWord(word))}>${isMoved ? strings.putBack : strings.moveButton(words[word] as string)}</button>`
  }${locked.includes('text') ? nothing : html`<input class="own" type="text" maxlength="2000" autocomplete="off" aria-label=${strings.textPlaceholder} placeholder=${strings.textPlaceholder} .value=${spec.text} @change=${handleTextChange}>`}
      <button type="button" class="text" aria-expanded=${isAboutOpen} @click=${() => actions?.toggleAbout()}>${strings.aboutButton}</button></div>`;
}

/** Renders the content below the words. Static HTML has no `actions`, so its controls have no effect. */
export function renderContent(state: ContentState, actions?: NextWordActions): TemplateResult {
  const { results, isAboutOpen } = state;
  const notes = results ? createNotes(results, isAboutOpen) : [];
  return html`<p class="verdict">${results ? renderVerdict(results) : nothing}</p>${renderEncodingButtons(state, actions)}${renderControls(state, actions)}
          ${notes.length > 0 ? html`<p class="legend">${notes.join(' ')}</p>` : nothing}`;
}

export function renderStaticContent(results: Results, spec: Spec, locked: readonly string[]): TemplateResult {
  const { words, order } = results;
  const state = { spec, words, order, results, locked, canMove: !locked.includes('order'), isAboutOpen: false };
  return html`<div class="show short">${renderContent(state)}</div>`;
}
