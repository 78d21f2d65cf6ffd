// References to missing chapters and terms. While the book is incomplete they become plain text; in the complete book they are errors.
import { BookProblem } from './problem.mjs';

/** @import { Reference } from './chapter-parts.mjs' */

/** @typedef {{ chapters: readonly { number: string }[], missing: readonly Reference[] }} ReferringBook */

/** The number of chapters of the complete book. */
export const CHAPTERS = 18;

/** @param {Pick<ReferringBook, 'chapters'>} book */
export const isWhole = ({ chapters }) => {
  const numbers = new Set(chapters.map(({ number }) => Number(number)));
  return Array.from({ length: CHAPTERS }, (_, index) => index + 1).every((number) => numbers.has(number));
};

/** @param {Reference} reference */
export const missingSentence = ({ target, place }) =>
  `${place.file}:${place.line}: [[${target}]] is not in the book yet and is shown as text`;

/** Throws for the first reference to a missing target if the book is complete. @param {ReferringBook} book */
export function refuseMissing(book) {
  const [first] = book.missing;
  if (!first || !isWhole(book)) return;
  const { target, place } = first;
  const what = /^chapter \d/.test(target)
    ? `there is no such chapter, they are 1 to ${Math.max(...book.chapters.map(({ number }) => Number(number)))}`
    : 'no chapter defines this term and no page has this name; “::: define” makes a term';
  throw new BookProblem(`[[${target}]]: ${what}`, place);
}
