// What decides a prediction: a value of the core, or numbers that somebody has published.
import { escaped } from './plain-text.mjs';
import { BookProblem } from './problem.mjs';

const COMPARISON = /^(.*?)\s*(<=|>=|=|<|>)\s*([^<>=]+)$/s;
const HOLDS = { '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '=': (a, b) => a === b };
const SIGN = /<=|>=|=|<|>/g;
const PUBLISHED = /^published\s+(.*)$/s;
const NUMBER = /^-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;

/** A published number, as it is printed: “1,012”, “20.07”. */
function publishedNumber(text, place) {
  if (!NUMBER.test(text))
    throw new BookProblem(`predict: “${text}” is no number as a table prints it; after “published” come numbers only`, place);
  return { text: text.replace('-', '−'), value: Number(text.replaceAll(',', '')) };
}

/** 'published 43.54 > 21.37 > 18.73': each number with its neighbour. */
function publishedCondition(text, place) {
  const signs = text.match(SIGN) ?? [];
  if (signs.length === 0)
    throw new BookProblem(`predict: “published ${text}” compares nothing: write {correct if published 43.54 > 21.37}`, place);
  const numbers = text.split(SIGN).map((one) => publishedNumber(one.trim(), place));
  return {
    isPublished: true,
    holds: () => signs.every((sign, index) => HOLDS[sign](numbers[index].value, numbers[index + 1].value)),
    html: () => numbers.map(({ text: one }, index) => (index === 0 ? one : `${escaped(signs[index - 1])} ${one}`)).join(' '),
  };
}

/** 'figure {...}.proof.residual < 1e-5' */
export function readCondition(text, place, chapter) {
  const [, published] = PUBLISHED.exec(text) ?? [];
  if (published !== undefined) return publishedCondition(published.trim(), place);
  const [, left, sign, right] = COMPARISON.exec(text.replace(/^core\s+/, '')) ?? [];
  if (!left) throw new BookProblem(`predict: “${text}” compares nothing: write {correct if VALUE < VALUE}`, place);
  const [a, b] = [chapter.core(left, place), chapter.core(right, place)];
  if ([a, b].every(({ expression }) => 'literal' in expression.tree))
    throw new BookProblem(
      `predict: “${text}” asks the core nothing; numbers of a paper are {correct if published 2 > 1}, with a source`,
      place,
    );
  return {
    isPublished: false,
    holds: () => HOLDS[sign](a.result.value, b.result.value),
    html: () => `${a.html()} ${escaped(sign)} ${b.html()}`,
  };
}

/** 'answer: VALUE within 10 % words': what the number of the reader is compared with. */
export function readAnswer(text, place, chapter) {
  const [, value, within, percent, unit] = /^answer:\s*(.*?)\s+within\s+([\d.]+)\s*(%?)\s*(.*?)\s*$/.exec(text) ?? [];
  if (value === undefined) throw new BookProblem('predict: write “answer: VALUE within 10 %” or “answer: VALUE within 2 words”', place);
  const [, published] = PUBLISHED.exec(value) ?? [];
  const number = published === undefined ? undefined : publishedNumber(published.trim(), place);
  const core = number ? undefined : chapter.core(value, place);
  const numberOf = () => {
    const found = number ? number.value : core.result.value;
    if (typeof found !== 'number') throw new BookProblem('predict: the answer is no number', place);
    return found;
  };
  return {
    isPublished: number !== undefined,
    unit,
    attributes: () =>
      ` data-answer="${numberOf()}" data-within="${within}"${percent ? ' data-percent' : ''}${number ? ' data-published' : ''}`,
    html: () => (number ? number.text : core.html()),
  };
}

/** How a verdict says what decided. */
export const isDecided = ({ isPublished, holds, html }) =>
  isPublished ? `Published${holds ? `: ${html()}` : ''}` : `Decided by the core: ${html()}`;
