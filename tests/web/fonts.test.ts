// The style sheet declares the letters of each font file, so that a page fetches only the files it needs. A letter that is missing from the file or
// from the declaration would be drawn in another font.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const { MADE } = (await import('../../scripts/site/reading-font.mjs' as string)) as { MADE: readonly { name: string; letters: string }[] };

const css = readFileSync(join(import.meta.dirname, '../../web/book/styles/fonts.css'), 'utf8');
const faces = [...css.matchAll(/@font-face \{[^}]*\}/g)].map(([text]) => text);

const sortUnique = (points: readonly number[]): number[] => [...new Set(points)].sort((a, b) => a - b);

/** The code points of a unicode-range. */
function pointsOf(face: string): number[] {
  const written = /unicode-range:([^;]*);/.exec(face)?.[1] ?? '';
  return sortUnique(
    written.split(',').flatMap((range) => {
      const [from = 0, to = from] = range
        .trim()
        .replace('U+', '')
        .split('-')
        .map((digits) => Number.parseInt(digits, 16));
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }),
  );
}

test.each(MADE)('$name: the style sheet declares the letters of the font file', ({ name, letters }) => {
  const face = faces.find((text) => text.includes(`/${name}.woff2`));
  expect(face && pointsOf(face)).toEqual(sortUnique([...letters].map((letter) => letter.codePointAt(0) as number)));
});

test('no letter is in two font files of formulas', () => {
  const [basic, more] = ['stix-two-math', 'stix-two-math-more'].map((fontName) => MADE.find(({ name }) => name === fontName)?.letters);
  expect([...(basic ?? '')].filter((letter) => more?.includes(letter))).toEqual([]);
});
