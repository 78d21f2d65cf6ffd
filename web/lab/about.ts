// <ph-about>: what the chosen encoding is, in words and as a formula.
import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { type EncodingWords, encodingWords } from '../encodings/words.ts';
import { LabElement } from './element.ts';
import { encodingId } from './store.ts';

/** Where it comes from; a simple step on the way has no source. */
function source({ authors, year, paper }: EncodingWords) {
  if (!paper) return nothing;
  return html`<p class="source">${authors}, ${year}: <cite>${paper.title}</cite>,
    <a href=${`https://arxiv.org/abs/${paper.arxiv}`}>arXiv ${paper.arxiv}</a></p>`;
}

export class About extends LabElement {
  protected override render() {
    const words = encodingWords[encodingId.value];
    if (!words) return nothing;
    return html`
      <p class="summary">${words.summary}</p>
      <details>
        <summary>${words.paper ? 'Formula, source and conventions' : 'Formula and conventions'}</summary>
        <div class="formula" tabindex="0" role="group" aria-label="Formula">${unsafeHTML(words.formula)}</div>
        <p>${words.note}</p>
        ${words.usedBy ? html`<p class="used-by">Used by: ${words.usedBy}.</p>` : nothing}
        ${source(words)}
      </details>`;
  }
}
