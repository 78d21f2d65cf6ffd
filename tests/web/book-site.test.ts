// The whole book: its values match the core, and its references resolve. tests/shipped/site.test.ts checks the links of the built site.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { isInLab } from '../../web/book/lab-link.ts';
import { kinds } from '../../web/figure/contract/all-kinds.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { parseLink } from '../../web/lab/state/link.ts';
import { type Book, load, newMeans, type Page, readBook } from './read-book.ts';

const { MADE } = (await import('../../scripts/site/reading-font.mjs' as string)) as { MADE: readonly { name: string; letters: string }[] };

let book: Book;
beforeAll(async () => {
  book = await readBook();
});

describe('book', () => {
  it('contains the values that the core computes', async () => {
    const pages = [...book.chapters, ...book.pages, ...book.encodings];
    // A new evaluator, without cached values.
    const { core } = await newMeans();
    let count = 0;
    for (const page of pages) {
      const figures = new Map(page.figures.map(({ id, kind, fields }) => [id, { kind, ...fields }]));
      const text = book.write(page);
      const evaluate = await core.evaluator(page.constants, figures);
      for (const [, , value, source] of text.matchAll(/<data class="core"( hidden| data-list)? value="([^"]*)" data-core="([^"]*)"/g)) {
        const unescapeHtml = (text = '') => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
        const result = await evaluate(unescapeHtml(source));
        expect(String(result.value), `${page.file}: ${source}`).toBe(unescapeHtml(value));
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(20);
  });

  it('has a glyph for every letter of its formulas, for chapters in the common font file', () => {
    const lettersOf = (fontName: string) => MADE.find(({ name }) => name === fontName)?.letters ?? '';
    const [common, more] = [lettersOf('stix-two-math'), lettersOf('stix-two-math-more')];
    for (const page of [...book.chapters, ...book.pages, ...book.encodings]) {
      for (const [formula] of book.write(page).matchAll(/<math[\s\S]*?<\/math>/g)) {
        const text = formula
          .replaceAll(/<[^>]*>/g, '')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&amp;', '&');
        // A variation selector has no glyph.
        const missingLetters = [...text].filter((letter) => !common.includes(letter) && !/\s|\ufe0e/.test(letter));
        expect(
          page.number ? missingLetters.join('') : missingLetters.filter((letter) => !more.includes(letter)).join(''),
          `${page.file}: ${formula}`,
        ).toBe('');
      }
    }
  });

  it('links every figure to the Lab with the same kind and encoding', () => {
    for (const page of [...book.chapters, ...book.encodings]) {
      for (const { kind, fields, labHash } of page.figures) {
        if (labHash === undefined) {
          expect(isInLab(kind), `${page.file}: ${kind}`).toBe(false);
          continue;
        }
        const { state, problem } = parseLink(labHash);
        expect(problem, `${page.file}: ${labHash}`).toBeUndefined();
        const spec = readSpec(kinds[kind] as NonNullable<(typeof kinds)[string]>, fields) as Record<string, unknown>;
        if (kind !== 'sentence') expect(state.view).toBe(kind);
        const { id } = (spec.encoding ?? {}) as { id?: string };
        if (id !== undefined) expect(state.encoding).toBe(id);
        // The text of a language-model figure is independent of the sentence of the Lab.
        const hasOwnText = kinds[kind]?.unlinkedFields?.includes('text') ?? false;
        if (spec.text !== undefined && !hasOwnText) expect(state.text).toBe(spec.text);
      }
    }
  });

  it('resolves every reference to an existing chapter', () => {
    const numbers = book.chapters.map(({ number }) => number);
    for (const { target, place } of book.missing)
      expect(numbers, `${place.file}:${place.line}: [[${target}]]`).not.toContain(target.replace('chapter ', ''));
  });
});

it('numbers the formulas of a page outside the chapters from 1', () => {
  const page = book.pages.find(({ slug }) => slug === 'inside-phasor') as Page;
  expect(book.write(page)).toContain('<a class="equation-number" href="#running">(1)</a>');
});

it('gives every claim a verdict with evidence, or notes that none was published', () => {
  const page = book.pages.find(({ slug }) => slug === 'claims');
  const rows = (page?.body ?? '').split('\n').filter((line) => /^\| (?!claim|---)/.test(line) && !line.startsWith('|---'));
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) {
    const [, claim, verdict, decides = ''] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    expect(verdict, claim).toMatch(/^(true|not true|depends|open|the mechanism|as good|advice|structure)/);
    expect(decides, claim).toMatch(/\]\(https:\/\/|\{\{core: |\[\[chapter \d/);
    if (verdict === 'open' || verdict === 'advice') expect(decides, claim).toMatch(/no published (source|comparison|measurement)/i);
  }
});

it('keeps docs/source-notes.md up to date (node scripts/docs/source-notes.mjs)', async () => {
  const { sourceNotesDocument } = await load<{ sourceNotesDocument: (of: Book) => string }>('../docs/source-notes.mjs');
  expect(readFileSync('docs/source-notes.md', 'utf8')).toBe(sourceNotesDocument(book));
});
