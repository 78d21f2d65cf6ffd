// The line under the sentence that leads a newcomer, and the badge that proves it. Both are made from the numbers.
import { html } from 'lit';
import { encodingWords } from '../encodings/words.ts';
import type { Figure } from '../figure/compute.ts';
import { isReversed } from '../figure/order.ts';
import { extent } from '../views/grid.ts';
import { formatNumber } from '../views/number.ts';
import { LabElement } from './element.ts';
import { pageFault } from './page-fault.ts';
import { busy, failure, figure } from './store.ts';

const nameOf = ({ encoding }: Figure): string => encodingWords[encoding.id]?.title ?? encoding.id;

/** What to see or to do next. */
export function storyLine(shown: Figure): string {
  const { setting, encoding, isMoved, isChanged, order } = shown;
  const bare = encoding.injection === 'none';
  const causal = setting.mask === 'causal';
  if (shown.words.length < 2) return 'One word has nobody to attend to but itself. Add another.';
  if (!isMoved) {
    if (bare && causal) return 'With the causal mask each word sees only itself and the words before it. Drag a word.';
    if (bare) return 'Drag a word. Without positions, attention does not notice.';
    return `The words have positions now. Drag a word, and see whether attention notices ${nameOf(shown)}.`;
  }
  if (bare && causal) {
    return isChanged
      ? 'No encoding, and yet order matters: the mask alone tells each word which words came before it.'
      : 'Here the mask made no difference. Drag another word.';
  }
  if (bare) return 'Every word kept its output and only took it along. Now give the words a position.';
  if (isChanged) return 'Now order matters: the same words in another order get other outputs.';
  if (encoding.injection === 'score' && encoding.relative && isReversed(order))
    return 'A symmetric bias knows how far, but not which side: the reversed sentence looks the same to it.';
  return 'The words have positions, and still their outputs only moved.';
}

/** The proof in words: how large the largest difference is after the words are put back. */
export function badgeText({ isMoved, isChanged, maxAbsDiff, distances, words, order }: Figure): string {
  if (!isMoved) return 'nothing has moved yet';
  const number = maxAbsDiff === 0 ? 'exactly 0' : formatNumber(maxAbsDiff, { digits: 2 });
  if (!isChanged) return `outputs only moved: largest difference ${number}`;
  const word = words[order[extent(distances).greatestAt] as number];
  return `outputs changed: largest difference ${number}, most at “${word}”`;
}

/** <ph-story>: the line and, while something takes long, that it does. */
export class Story extends LabElement {
  protected override render() {
    const shown = figure.value;
    if (failure.value) return html`<p class="story problem" role="alert">${failure.value}</p>`;
    return html`<p class="story">${shown ? storyLine(shown) : 'Drag a word. Without positions, attention does not notice.'}
      ${busy.value ? html`<span class="muted">computing …</span>` : ''}</p>
      ${pageFault.value ? html`<p class="problem" role="alert">${pageFault.value}</p>` : ''}`;
  }
}

/** <ph-badge>: the permutation error, live from the core. */
export class Badge extends LabElement {
  protected override render() {
    const shown = figure.value;
    if (!shown)
      return html`<p class="badge" data-testid="badge">${failure.value ? 'no numbers: nothing can be computed' : 'the core is starting'}</p>`;
    const state = !shown.isMoved ? 'still' : shown.isChanged ? 'changed' : 'moved';
    return html`<p class="badge" data-testid="badge" data-state=${state} data-encoding=${shown.encoding.id} data-max-abs-diff=${shown.maxAbsDiff} role="status"
      title=${`largest difference ${shown.maxAbsDiff}, largest output ${shown.size}`}>${badgeText(shown)}</p>`;
  }
}
