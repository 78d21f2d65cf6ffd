// <ph-about>: what the chosen encoding is, in words and as a formula.
import { html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { encodingWords } from '../encodings/words.ts';
import { LabElement } from './element.ts';
import { state } from './store.ts';

export class About extends LabElement {
  protected override render() {
    const words = encodingWords[state.value.encoding];
    if (!words) return nothing;
    return html`
      <p class="summary">${words.summary}</p>
      <details>
        <summary>Formula, source and conventions</summary>
        <div class="formula" tabindex="0" role="group" aria-label="Formula">${unsafeHTML(words.formula)}</div>
        <p>${words.note}</p>
        <p class="source">${words.authors}, ${words.year}: <cite>${words.paper.title}</cite>,
          <a href=${`https://arxiv.org/abs/${words.paper.arxiv}`}>arXiv ${words.paper.arxiv}</a></p>
      </details>`;
  }
}
