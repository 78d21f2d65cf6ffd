// Templates as static HTML, which replaces a figure until its script is loaded.
import { html } from 'lit';
import { describe, expect, it } from 'vitest';
import { toStaticHtml } from '../../web/package/template-text.ts';

const list = (name: string, chosen: string) =>
  html`<select id=${name}>${['a', 'b & c'].map((word) => html`<option value=${word} ?selected=${word === chosen}>${word}</option>`)}</select>`;

describe('toStaticHtml', () => {
  it('replaces text fields by outputs with the same id', () => {
    const field = html`<label for="base">base</label><input id="base" type="text" .value=${'1 < "2"'} aria-invalid="false" @change=${() => {}}>`;
    expect(toStaticHtml(field)).toBe('<label for="base">base</label><output class="field" id="base">1 &lt; &quot;2&quot;</output>');
  });

  it('replaces each list by its selected option', () => {
    expect(toStaticHtml(html`${list('one', 'b & c')}${list('two', 'a')}${list('three', 'none')}`)).toBe(
      '<output class="list" id="one">b &amp; c</output><output class="list" id="two">a</output><output class="list" id="three"></output>',
    );
  });

  it('disables all other controls', () => {
    expect(toStaticHtml(html`<input type="range" .value=${'3'}><button>x</button><textarea .value=${'<y>'}></textarea>`)).toBe(
      '<input disabled type="range" value="3"><button disabled>x</button><textarea disabled>&lt;y></textarea>',
    );
  });
});
