// Converts text to HTML, to ids and to plain text.
import { coreParts } from './inline.mjs';

/** @param {string} text */
export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The id of a heading or a term. @param {string} text */
export const slugOf = (text) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[’'“”"]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Separates the thousands of a printed number: '19,869.2'. @param {string} text */
export const grouped = (text) => text.replace(/^[-−]?\d+/, (digits) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ','));

/** Converts inline Markdown to plain text, for contents and search. @param {string} text */
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
/** Like `plainText`, with simple formulas as characters, where MathML is not possible: '2π', '−∞'. @param {string} text */
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
/** Converts a printed number to HTML, with the exponent of a power of ten in <sup>. @param {string} text */
export const withPowers = (text) =>
  text.replace(
    /10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/,
    (_, /** @type {string} */ digits) =>
      `10<sup>${[...digits].map((one) => (one === '⁻' ? '−' : SUPERSCRIPTS.indexOf(one))).join('')}</sup>`,
  );

/** A value of the core as HTML, with its expression in data-core. @param {import('./core-values.mjs').CoreResult} result */
export const coreData = ({ value, source, text }, { isHidden = false } = {}) =>
  `<data class="core"${isHidden ? ' hidden' : Array.isArray(value) ? ' data-list' : ''} value="${escaped(String(value))}" data-core="${escaped(source)}">${isHidden ? text : withPowers(text)}</data>`;
