// <ph-about>: the description and formula of the selected encoding.
import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { EncodingDescription } from '../../encodings/description.ts';
import { findDescription } from '../descriptions.ts';
import { LabElement } from '../element.ts';
import { encoding, encodingId } from '../state/store.ts';
import { renderDiagram } from './diagram.ts';
import { isFolded } from './folding.ts';

/** Renders the line that cites the paper. Simple teaching encodings have no paper. */
function renderSource({ authors, year, paper }: EncodingDescription) {
  if (!paper) return nothing;
  return html`<p class="source">${authors}, ${year}: <cite>${paper.title}</cite>,
    <a href=${`https://arxiv.org/abs/${paper.arxiv}`}>arXiv ${paper.arxiv}</a></p>`;
}

export class AboutPanel extends LabElement {
  protected override updated(): void {
    // The formula has data-style attributes instead of style attributes, because the Content-Security-Policy only allows styles set by
    // scripts.
    for (const element of this.querySelectorAll<MathMLElement>('[data-style]')) element.style.cssText = element.dataset.style ?? '';
  }

  protected override render() {
    this.hidden = isFolded.value;
    const description = findDescription(encodingId.value);
    if (!description) return nothing;
    return html`
      <p class="summary">${description.summary}</p>
      ${renderDiagram(encoding.value?.injection)}
      <details>
        <summary>${description.paper ? 'Formula, source and conventions' : 'Formula and conventions'}</summary>
        <div class="formula" tabindex="0" role="group" aria-label="Formula">${unsafeHTML(description.formula)}</div>
        <p>${description.note}</p>
        ${description.usedBy ? html`<p class="used-by">Used by: ${description.usedBy}.</p>` : nothing}
        ${renderSource(description)}
      </details>`;
  }
}
