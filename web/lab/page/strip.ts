// <ph-strip>: a one-line bar that appears when the sentence is scrolled out of view. It contains the words, the encoding, the readout and
// the badge.
import { signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { isRightToLeft } from '../../sentence/direction.ts';
import { getEncodingTitle } from '../descriptions.ts';
import { LabElement } from '../element.ts';
import { encodingId, outcome, readout, sentenceFigure } from '../state/store.ts';
import { STRIP_STRINGS as STRINGS } from '../strings.ts';
import { formatBadge } from './story.ts';

const MAX_WORD_COUNT = 24;

export class Strip extends LabElement {
  private readonly isScrolledAway = signal(false);
  private observer: IntersectionObserver | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer = new IntersectionObserver(([entry]) => {
      this.isScrolledAway.value = entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.bottom < 0;
    });
    const figure = document.querySelector('#sentence');
    if (figure) this.observer.observe(figure);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  protected override render() {
    const currentOutcome = outcome.value;
    if (!this.isScrolledAway.value || !currentOutcome) return nothing;
    const { order, words } = currentOutcome;
    const cursorPosition = sentenceFigure.value?.cursor.value.query;
    const renderWord = (index: number, position: number) =>
      html`<button type="button" aria-pressed=${position === cursorPosition} @click=${() => this.moveCursor(position)}>${words[index]}</button>`;
    const hiddenCount = order.length - MAX_WORD_COUNT;
    return html`<div class="strip" role="region" aria-label=${STRINGS.regionLabel}>
      <span class="strip-words" dir=${isRightToLeft(words) ? 'rtl' : 'ltr'}>${order.slice(0, MAX_WORD_COUNT).map(renderWord)}${hiddenCount > 0 ? html`<span class="muted">${STRINGS.moreWords(hiddenCount)}</span>` : nothing}</span>
      <span class="strip-encoding">${getEncodingTitle(encodingId.value)}</span>
      <span class="strip-readout muted">${readout.value}</span>
      <span class="strip-badge">${formatBadge(currentOutcome)}</span>
    </div>`;
  }

  private moveCursor(position: number): void {
    const figure = sentenceFigure.peek();
    if (figure) figure.cursor.value = { query: position };
  }
}
