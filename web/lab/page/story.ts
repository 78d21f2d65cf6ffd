// The line below the sentence that guides new users, and the badge with the measured difference. Both are generated from the numbers.

import { html, nothing } from 'lit';
import { spaced } from '../../charts/english.ts';
import { entryAt } from '../../charts/entry-at.ts';
import { extent } from '../../charts/grid.ts';
import { formatNumber } from '../../charts/number.ts';
import { WORDS } from '../../figure/contract/strings.ts';
import { isReversed } from '../../sentence/order.ts';
import { LabElement } from '../element.ts';
import { CONTROL_WORDS, ERROR_WORDS } from '../error-strings.ts';
import { nounOf } from '../nouns.ts';
import type { Outcome } from '../state/outcome.ts';
import { pageError } from '../state/page-error.ts';
import { busy, failure, inputError, outcome, readout, sentence } from '../state/store.ts';
import { errorTarget } from './error-message.ts';

/** What to look at or do next. */
export function storyLine(shown: Outcome): string {
  const { encoding, isMoved, isChanged, order } = shown;
  const isPositionless = encoding.injection === 'none';
  const causal = shown.mask === 'causal';
  if (shown.words.length < 2) return 'A single word can only attend to itself. Add another.';
  if (!isMoved) {
    if (isPositionless && causal) return 'With the causal mask each word attends only to itself and the words before it. Drag a word.';
    if (isPositionless) return 'Drag a word. Without positions, attention does not notice.';
    return `The words now have positions (${nounOf(encoding.id)}). Drag a word and see whether attention notices.`;
  }
  if (isPositionless && causal) {
    return isChanged
      ? 'No encoding, and yet order matters: the causal mask alone reveals which words came before.'
      : 'Here the mask made no difference. Drag another word.';
  }
  if (isPositionless) return 'Each word’s output is unchanged; it moved with the word. Now give the words positions.';
  if (isChanged) return 'Now order matters: the same words in a different order get different outputs.';
  if (encoding.injection === 'score' && encoding.relative && isReversed(order))
    return 'A symmetric bias depends on the distance but not on the direction: the reversed sentence looks the same.';
  return 'The words have positions, and still each word’s output only moved with it.';
}

/** What is said where there are no numbers because of an error, by the place of its message: a control, or the line below the encodings. */
export function refusedLine(place: string): string {
  const param = place.startsWith('param-') ? spaced(place.slice('param-'.length)) : undefined;
  return ERROR_WORDS.cannot(param ?? CONTROL_WORDS[place as keyof typeof CONTROL_WORDS]);
}

/** The measurement: the maximum difference of the outputs after the permutation is undone. */
export function badgeText({ isMoved, isChanged, maxAbsDiff, differences, words, order }: Outcome): string {
  if (!isMoved) return 'no words moved';
  const number = maxAbsDiff === 0 ? 'exactly 0' : formatNumber(maxAbsDiff, { digits: 2 });
  if (!isChanged) return `same outputs, reordered (${maxAbsDiff === 0 ? 'difference exactly 0' : `rounding error ${number}`})`;
  const word = words[entryAt(order, extent(differences).argmax)];
  return `outputs changed: maximum difference ${number}, at “${word}”`;
}

/** <ph-story>: the line, with a note during long computations. */
export class Story extends LabElement {
  /** The line that index.html has. It stays while it is what is to be said: another one of the same words would be painted anew. */
  private still: Element | null = null;

  protected override createRenderRoot(): this {
    this.still = this.firstElementChild;
    // What is rendered is before a node that stays.
    const end = document.createComment('');
    this.prepend(end);
    this.renderOptions.renderBefore = end;
    return this;
  }

  protected override render() {
    const shown = outcome.value;
    const wrong = inputError.value;
    const refused = wrong && refusedLine(errorTarget(wrong.field));
    const line = shown ? storyLine(shown) : (refused ?? this.still?.textContent);
    // The first numbers are waited for in silence: a line that grows then would be painted anew as the largest of the page.
    const isBusy = busy.value && shown !== undefined;
    const isPlain = !failure.value && !isBusy && !pageError.value;
    if (this.still && isPlain && line === this.still.textContent) return nothing;
    this.still?.remove();
    this.still = null;
    if (failure.value)
      return html`<p class="story problem" role="alert">${failure.value}
        <button type="button" @click=${() => sentence.peek()?.restart()}>${WORDS.restart}</button></p>`;
    return html`<p class="story">${line}
      ${isBusy ? html`<span class="muted">computing …</span>` : ''}</p>
      ${pageError.value ? html`<p class="problem" role="alert">${pageError.value}</p>` : ''}`;
  }
}

/** <ph-badge>: the permutation error, computed live. */
export class Badge extends LabElement {
  protected override render() {
    const shown = outcome.value;
    if (!shown)
      return html`<p class="badge" data-testid="badge">${failure.value ? 'no numbers: the engine could not be started' : inputError.value ? 'no numbers for this setting' : 'loading the engine'}</p>`;
    const state = !shown.isMoved ? 'still' : shown.isChanged ? 'changed' : 'moved';
    return html`<p class="badge" data-testid="badge" data-state=${state} data-encoding=${shown.encoding.id} data-max-abs-diff=${shown.maxAbsDiff}>${badgeText(shown)}</p>`;
  }
}

/** <ph-readout>: the numbers at the cursor, as a sentence. */
export class Readout extends LabElement {
  protected override render() {
    return html`<p class="readout">${readout.value}</p>`;
  }
}
