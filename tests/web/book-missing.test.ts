// Broken references: text while the book is incomplete, an error once it has all of its chapters.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Missing {
  readonly target: string;
  readonly place: { readonly file: string; readonly line: number };
}
const { refuseMissing, isWhole, CHAPTERS } = (await import(join(process.cwd(), 'scripts/book/missing.mjs'))) as {
  refuseMissing: (book: object) => void;
  isWhole: (book: object) => boolean;
  CHAPTERS: number;
};

const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ number: String(index + 1) }));
const missing = (target: string): Missing[] => [{ target, place: { file: 'web/book/chapters/04-x.md', line: 31 } }];
const message = (book: object) => {
  try {
    refuseMissing(book);
  } catch (thrown) {
    return (thrown as { sentence: string }).sentence;
  }
  return undefined;
};

describe('broken reference', () => {
  it('is plain text while a chapter is missing', () => {
    expect(isWhole({ chapters: numbered(CHAPTERS - 1) })).toBe(false);
    expect(message({ chapters: numbered(CHAPTERS - 1), missing: missing('chapter 18') })).toBeUndefined();
    const gap = [...numbered(6), ...numbered(CHAPTERS).slice(7)];
    expect(message({ chapters: gap, missing: missing('chapter 7') })).toBeUndefined();
  });

  it('fails the build with its file and line once all chapters exist', () => {
    const chapters = numbered(CHAPTERS);
    expect(isWhole({ chapters })).toBe(true);
    expect(message({ chapters, missing: missing('chapter 19') })).toBe(
      'web/book/chapters/04-x.md:31: [[chapter 19]]: there is no such chapter, they are 1 to 18',
    );
    expect(message({ chapters, missing: missing('equivarant') })).toMatch(
      /^web\/book\/chapters\/04-x\.md:31: \[\[equivarant\]\]: no chapter defines/,
    );
    expect(message({ chapters, missing: [] })).toBeUndefined();
  });
});
