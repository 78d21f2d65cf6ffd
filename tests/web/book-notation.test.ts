// The notation page explains the symbols of all chapters.
import { expect, it } from 'vitest';
import { chapter, load, type Page } from './read-book.ts';

const { checkNotation, lettersOf } = await load<{
  checkNotation: (chapters: readonly Page[], page: Page) => void;
  lettersOf: (source: string) => string[];
}>('notation.mjs');

const message = async (body: string, table: string) => {
  const [text, page] = [await chapter(body), await chapter(table)];
  try {
    checkNotation([text], page);
  } catch (thrown) {
    return (thrown as { sentence: string }).sentence;
  }
  return '';
};

it('lists the letters and names of a formula, with upright letters apart and without signs', () => {
  expect(
    lettersOf('\\mathrm{pe}_{p,2t} = \\sin\\!\\left(\\frac{\\theta_t}{2}\\right) + e^{\\mathrm{i}\\, x} \\odot K^\\top \\ldots'),
  ).toEqual(['pe', 'p', 't', 'sin', 'θ', 't', 'e', '\\mathrm{i}', 'x', 'K']);
});

it('rejects a letter that the notation page does not explain, in text, formulas and blocks', async () => {
  const table = '| | |\n|---|---|\n| $q_i$ | a query |\n| $x$ | a vector |';
  expect(await message('The $q_x$ and\n\n$$ x_i = {{core: 1 + 1}}\\, q $$', table)).toBe('');
  expect(await message('The $q$.\n\nAnd $x_j$.', table)).toBe(
    'a.md:8: formula “x_j”: j is not in a.md: explain it there, or write what is',
  );
  expect(await message('$$ x = \\mathrm{i} $$', table)).toMatch(/^a\.md:6: formula .*: \\mathrm\{i\} is not in/);
  expect(await message('::: note\nIt is $\\varepsilon$.\n:::', table)).toMatch(/^a\.md:7: formula “\\varepsilon”: ε is not in/);
});
