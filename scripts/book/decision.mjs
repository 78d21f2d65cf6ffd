// Parses what determines the solution of a prediction: a value of the core, or published numbers.
import { computed } from './chapter-parts.mjs';
import { escaped } from './plain-text.mjs';
import { BookProblem } from './problem.mjs';

/** @import { Chapter } from './chapter-parts.mjs' */
/** @import { Value } from './core-values.mjs' */
/** @import { Place } from './problem.mjs' */

/** @typedef {{ isPublished: boolean, holds: () => boolean, html: () => string }} Condition */
/** @typedef {{ isPublished: boolean, unit: string, attributes: () => string, html: () => string }} Answer */

/** A comparison by its last sign; the left side may contain others. */
const COMPARISON = /^(.+)\s(<=|>=|===|<|>)\s([^<>=]+)$/s;
/** @type {Record<string, (a: Value, b: Value) => boolean>} */
const HOLDS = { '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '=': (a, b) => a === b };
const SIGN = /<=|>=|=|<|>/g;
const PUBLISHED = /^published\s+(.*)$/s;
const NUMBER = /^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;

/** Parses a published number as it is printed: “1,012”, “20.07”. @param {string} text @param {Place} location */
function publishedNumber(text, location) {
  if (!NUMBER.test(text))
    throw new BookProblem(`predict: “${text}” is no number as a table prints it; after “published” come numbers only`, location);
  return { text: text.replace('-', '−'), value: Number(text.replaceAll(',', '')) };
}

/** @param {string | undefined} sign @param {Value} a @param {Value} b */
const compares = (sign, a, b) => HOLDS[sign ?? '']?.(a, b) ?? false;

/**
 * Parses '43.54 > 21.37 > 18.73', the text after `published`; each number is compared with the next.
 * @param {string} text
 * @param {Place} place
 * @returns {Condition}
 */
function publishedCondition(text, place) {
  const signs = text.match(SIGN) ?? [];
  if (signs.length === 0)
    throw new BookProblem(`predict: “published ${text}” compares nothing: write {correct if published 43.54 > 21.37}`, place);
  const numbers = text.split(SIGN).map((one) => publishedNumber(one.trim(), place));
  return {
    isPublished: true,
    holds: () => signs.every((sign, index) => compares(sign, numbers[index]?.value ?? Number.NaN, numbers[index + 1]?.value ?? Number.NaN)),
    html: () => numbers.map(({ text: one }, index) => (index === 0 ? one : `${escaped(signs[index - 1] ?? '')} ${one}`)).join(' '),
  };
}

/**
 * Parses the condition of an option: 'figures.drag.proof.residual < 1e-5' compares two expressions, 'published 2 > 1' published numbers.
 * @param {string} text
 * @param {Place} place
 * @param {Chapter} chapter
 * @returns {Condition}
 */
export function readCondition(text, place, chapter) {
  const [, published] = PUBLISHED.exec(text) ?? [];
  if (published !== undefined) return publishedCondition(published.trim(), place);
  const [, left, sign, right] = COMPARISON.exec(text) ?? [];
  if (!left || sign === undefined || right === undefined)
    throw new BookProblem(`predict: “${text}” compares nothing: write {correct if VALUE < VALUE}`, place);
  const [a, b] = [chapter.core(left, place), chapter.core(right, place)];
  if ([a, b].every(({ source }) => !Number.isNaN(Number(source))))
    throw new BookProblem(
      `predict: “${text}” asks the core nothing; numbers of a paper are {correct if published 2 > 1}, with a source`,
      place,
    );
  const shown = sign === '===' ? '=' : sign;
  return {
    isPublished: false,
    holds: () => compares(shown, computed(a.result).value, computed(b.result).value),
    html: () => `${a.html()} ${escaped(shown)} ${b.html()}`,
  };
}

/**
 * Parses 'answer: VALUE within 10% unit', with which the user's number is compared.
 * @param {string} text
 * @param {Place} place
 * @param {Chapter} chapter
 * @returns {Answer}
 */
export function readAnswer(text, place, chapter) {
  const [, value, within, percent, unit = ''] = /^answer:\s*(.*?)\s+within\s+([\d.]+)\s*(%?)\s*(.*?)\s*$/.exec(text) ?? [];
  if (value === undefined) throw new BookProblem('predict: write “answer: VALUE within 10%” or “answer: VALUE within 2 words”', place);
  const [, published] = PUBLISHED.exec(value) ?? [];
  const tolerance = ` data-within="${within}"${percent ? ' data-percent' : ''}`;
  if (published !== undefined) {
    const { text: printed, value: number } = publishedNumber(published.trim(), place);
    return { isPublished: true, unit, attributes: () => ` data-answer="${number}"${tolerance} data-published`, html: () => printed };
  }
  const core = chapter.core(value, place);
  const attributes = () => {
    const { value: number } = computed(core.result);
    if (typeof number !== 'number') throw new BookProblem('predict: the answer is no number', place);
    return ` data-answer="${number}"${tolerance}`;
  };
  return { isPublished: false, unit, attributes, html: core.html };
}

/** The sentence that names the source of a solution. @param {Condition | Answer} what */
export const isDecided = (what) =>
  what.isPublished ? `Published${'holds' in what ? `: ${what.html()}` : ''}` : `Decided by the core: ${what.html()}`;
