// Checks that the table of notation lists every letter in the formulas of the book.
import { mathml } from './formula.mjs';
import { readHtml } from './html.mjs';
import { BookProblem } from './problem.mjs';

/** @import { Collected } from './chapter-parts.mjs' */
/** @import { Place } from './problem.mjs' */

/**
 * The identifiers in a formula: letters, upright ones as \mathrm{…}, and names such as “softmax”; no operators.
 * @param {string} source
 * @param {Place} location
 */
export function lettersOf(source, location) {
  const letters = readHtml(mathml(source, { display: true, place: location })).elements.filter(({ name }) => name === 'mi');
  return letters.flatMap(({ attributes, text }) => {
    if (!/\p{L}/u.test(text)) return [];
    return [attributes.mathvariant === 'normal' && [...text].length === 1 ? `\\mathrm{${text}}` : text];
  });
}

/**
 * @param {Pick<Collected, 'mathematics'>[]} chapters
 * @param {Pick<Collected, 'mathematics'> & { file: string }} page the page of notation
 */
export function checkNotation(chapters, page) {
  const known = new Set(page.mathematics.flatMap(({ source, place }) => lettersOf(source, place)));
  for (const { source, place } of chapters.flatMap(({ mathematics }) => mathematics))
    for (const letter of lettersOf(source, place))
      if (!known.has(letter))
        throw new BookProblem(
          `formula “${source.trim().slice(0, 60)}”: ${letter} is not in ${page.file}: explain it there, or write what is`,
          place,
        );
}
