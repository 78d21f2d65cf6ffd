// Text as HTML, as an address and as plain words.
import { coreParts } from './inline.mjs';

/** @param {string} text */
export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The address of a heading or a term. @param {string} text */
export const slugOf = (text) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[’'“”"]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** '19,869.2': the text of a number with its thousands separated, as in the book. @param {string} text */
export const grouped = (text) => text.replace(/^[-−]?\d+/, (digits) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ','));

/** Inline Markdown as plain text, for contents and search. @param {string} text */
export const plainText = (text) =>
  coreParts(text)
    .map((part) => part.text ?? '')
    .join('')
    .replaceAll(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '')
    .replaceAll(/\$([^$]*)\$/g, '$1')
    .trim();

/** @type {Record<string, string>} */
const LETTERS = { gamma: 'γ', infty: '∞', lambda: 'λ', pi: 'π', sigma: 'σ', theta: 'θ' };
/** The same with simple formulas as characters, where MathML is not possible: '2π', '−∞'. @param {string} text */
export const spoken = (text) =>
  plainText(
    text.replaceAll(
      /\$([^$]*)\$/g,
      (_, /** @type {string} */ tex) =>
        `$${tex
          .replaceAll(/\\([a-zA-Z]+) ?/g, (_, /** @type {string} */ name) => LETTERS[name] ?? name)
          .replaceAll(/[{}_]/g, '')
          .replaceAll('-', '−')}$`,
    ),
  );

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/** A printed number as HTML: powers of ten in real superscripts, which a reading font has. @param {string} text */
export const withPowers = (text) =>
  text.replace(
    /10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/,
    (_, /** @type {string} */ digits) =>
      `10<sup>${[...digits].map((one) => (one === '⁻' ? '−' : SUPERSCRIPTS.indexOf(one))).join('')}</sup>`,
  );

/**
 * A value of the core with its expression.
 * @param {import('./core-values.mjs').CoreResult} result
 */
export const coreData = ({ value, source, text }, { isHidden = false } = {}) =>
  `<data class="core"${isHidden ? ' hidden' : Array.isArray(value) ? ' data-list' : ''} value="${escaped(String(value))}" data-core="${escaped(source)}">${isHidden ? text : withPowers(text)}</data>`;
