// The hint below the sentence and the badge with the measured difference. Both are derived from the computed outputs.
import { html, nothing } from 'lit';
import { formatId } from '../../charts/english.ts';
import { entryAt } from '../../charts/entry-at.ts';
import { extent } from '../../charts/grid.ts';
import { formatNumber } from '../../charts/number.ts';
import { fitsTrainedModel, hasLearnedToCopy } from '../../figure/compute/trained-layer.ts';
import { STRINGS } from '../../figure/contract/strings.ts';
import { isReversed } from '../../sentence/order.ts';
import { LabElement } from '../element.ts';
import { CONTROL_STRINGS, ERROR_STRINGS } from '../error-strings.ts';
import { getEncodingNoun } from '../nouns.ts';
import type { Outcome } from '../state/outcome.ts';
import { pageError } from '../state/page-error.ts';
import { engineFailure, inputError, isSlow, outcome, readout, sentenceFigure } from '../state/store.ts';
import { STORY_STRINGS } from '../story-strings.ts';
import { findErrorTarget } from './error-message.ts';
import { isSite } from './is-site.ts';

/**
 * Returns a hint about the results and what to try next.
 * @param hasModels whether the page has trained models
 */
export function formatStory(currentOutcome: Outcome, hasModels = false): string {
  const { encoding, isMoved, isChanged, order } = currentOutcome;
  const isPositionless = encoding.injection === 'none';
  const isCausal = currentOutcome.mask === 'causal';
  if (currentOutcome.words.length < 2) return STORY_STRINGS.singleWord;
  if (currentOutcome.isTrained)
    return isMoved && isChanged ? STORY_STRINGS.trainedOutputsChanged : STORY_STRINGS.trainedHint(getEncodingNoun(encoding.id));
  if (hasModels && hasLearnedToCopy(encoding.id) && !fitsTrainedModel(currentOutcome.words))
    return STORY_STRINGS.untrainedHint(getEncodingNoun(encoding.id));
  if (!isMoved) {
    if (isPositionless) return isCausal ? STORY_STRINGS.causalMaskHint : STORY_STRINGS.initialHint;
    return STORY_STRINGS.positionsHint(getEncodingNoun(encoding.id));
  }
  if (isPositionless && isCausal) return isChanged ? STORY_STRINGS.maskMatters : STORY_STRINGS.maskHasNoEffect;
  if (isPositionless) return STORY_STRINGS.outputsUnchanged;
  if (isChanged) return STORY_STRINGS.outputsChanged;
  return encoding.injection === 'score' && encoding.relative && isReversed(order)
    ? STORY_STRINGS.symmetricBias
    : STORY_STRINGS.outputsOnlyMoved;
}

/** Returns a sentence that says where the error message is: at a control, or below the encodings. */
export function formatRejection(target: string): string {
  const param = target.startsWith('param-') ? formatId(target.slice('param-'.length)) : undefined;
  return ERROR_STRINGS.invalidSetting(param ?? CONTROL_STRINGS[target as keyof typeof CONTROL_STRINGS]);
}

/** Returns the badge text, with the maximum difference of the outputs after the permutation is undone. */
export function formatBadge({ isMoved, isChanged, maxAbsDiff, differences, words, order }: Outcome): string {
  if (!isMoved) return 'no words moved';
  const number = maxAbsDiff === 0 ? 'exactly 0' : formatNumber(maxAbsDiff, { digits: 2 });
  if (!isChanged) return `same outputs, reordered (${maxAbsDiff === 0 ? 'difference exactly 0' : `rounding error ${number}`})`;
  const word = words[entryAt(order, extent(differences).argmax)];
  return `outputs changed: maximum difference ${number}, at “${word}”`;
}

/** <ph-story>: the hint below the sentence, with a note during long computations. */
export class StoryLine extends LabElement {
  /** The hint in the page's static HTML. It is kept while its text is correct, because replacing it would cause a repaint. */
  private staticLine: Element | null = null;

  protected override createRenderRoot(): this {
    this.staticLine = this.firstElementChild;
    // Lit renders before this node, so it does not remove `staticLine`, which follows the node.
    const endMarker = document.createComment('');
    this.prepend(endMarker);
    this.renderOptions.renderBefore = endMarker;
    return this;
  }

  protected override render() {
    const currentOutcome = outcome.value;
    const error = inputError.value;
    const rejectionText = error && formatRejection(findErrorTarget(error.field));
    const line = currentOutcome ? formatStory(currentOutcome, isSite()) : (rejectionText ?? this.staticLine?.textContent);
    // There is no note before the first results, because a longer line would delay the largest contentful paint.
    const isBusy = isSlow.value && currentOutcome !== undefined;
    const hasOnlyLine = !engineFailure.value && !isBusy && !pageError.value;
    if (this.staticLine && hasOnlyLine && line === this.staticLine.textContent) return nothing;
    this.staticLine?.remove();
    this.staticLine = null;
    if (engineFailure.value)
      return html`<p class="story problem" role="alert">${engineFailure.value}
        <button type="button" @click=${() => sentenceFigure.peek()?.restart()}>${STRINGS.restart}</button></p>`;
    return html`<p class="story">${line}
      ${isBusy ? html`<span class="muted">computing…</span>` : ''}</p>
      ${pageError.value ? html`<p class="problem" role="alert">${pageError.value}</p>` : ''}`;
  }
}

/** <ph-badge>: the measured permutation error. */
export class Badge extends LabElement {
  protected override render() {
    const currentOutcome = outcome.value;
    if (!currentOutcome)
      return html`<p class="badge" data-testid="badge">${engineFailure.value ? STORY_STRINGS.engineFailed : inputError.value ? STORY_STRINGS.noResults : STORY_STRINGS.engineLoading}</p>`;
    const state = !currentOutcome.isMoved ? 'still' : currentOutcome.isChanged ? 'changed' : 'moved';
    return html`<p class="badge" data-testid="badge" data-state=${state} data-encoding=${currentOutcome.encoding.id} data-max-abs-diff=${currentOutcome.maxAbsDiff}>${formatBadge(currentOutcome)}</p>`;
  }
}

/** <ph-readout>: a sentence about the values at the cursor. */
export class Readout extends LabElement {
  protected override render() {
    return html`<p class="readout">${readout.value}</p>`;
  }
}
