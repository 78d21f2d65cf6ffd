// tests/shipped/coverage.md links every statement of five documents to its place in the book.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const file = 'tests/shipped/coverage.md';
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter(([id = '']) => /^[SNLCK]\d+$/.test(id));
const linksOf = (cells: readonly string[]) =>
  [...cells.join(' ').matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)].map(([, path = '', id]) => ({ path, id }));

const { chapterSources } = (await import('../../scripts/book/book.mjs' as string)) as {
  chapterSources(): { file: string; slug: string; number: string }[];
};
/** The built chapters, each with the ids of its elements. */
const chapters = chapterSources().map(({ file, slug, number }) => {
  const html = readFileSync(`dist/site/book/${slug}/index.html`, 'utf8');
  return { file, number, ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)) };
});

it('lists every statement of each document exactly once', () => {
  const ids = rows.map(([id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // The number of statements in the slides, the notes, the lecture, the article and the chapter with code.
  for (const [document, count] of Object.entries({ S: 56, N: 50, L: 49, C: 76, K: 72 }))
    expect(ids.filter((id) => id?.startsWith(document))).toEqual(Array.from({ length: count }, (_, index) => `${document}${index + 1}`));
});

it('links every row to a place in the book', () => {
  const chapterNumbers = new Set(chapters.map(({ number }) => number));
  for (const [id, , , , numbers = '', ...places] of rows) {
    // A row may lack links only if its chapter is not written yet.
    const isPending = numbers.split(', ').some((number) => !chapterNumbers.has(number));
    if (!isPending) expect(linksOf(places), id).not.toEqual([]);
  }
});

it('links every row to a section, a box, a figure or the opening of a chapter', () => {
  for (const [id, , , , , ...places] of rows) {
    const links = linksOf(places);
    const isNear = links.some((link) => link.id !== undefined);
    const text = places.join(' ');
    expect(isNear || text.includes('[the opening]') || text.includes('(../../docs/source-notes.md)'), `${id}: ${places.join(' ')}`).toBe(
      true,
    );
  }
});

it('has no broken links', () => {
  let count = 0;
  for (const [id, ...cells] of rows) {
    for (const link of linksOf(cells)) {
      const path = normalize(join(dirname(file), link.path));
      expect(existsSync(path), `${id}: ${link.path}`).toBe(true);
      const chapter = chapters.find((one) => one.file === path);
      if (link.id !== undefined) expect(chapter?.ids.has(link.id), `${id}: ${link.path}#${link.id}`).toBe(true);
      count += 1;
    }
  }
  expect(count).toBeGreaterThan(rows.length / 2);
});
