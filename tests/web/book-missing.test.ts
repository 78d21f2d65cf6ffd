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

const makeChapters = (count: number) => Array.from({ length: count }, (_, index) => ({ number: String(index + 1) }));
const makeMissing = (target: string): Missing[] => [{ target, place: { file: 'web/book/chapters/04-x.md', line: 31 } }];
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
    expect(isWhole({ chapters: makeChapters(CHAPTERS - 1) })).toBe(false);
    expect(message({ chapters: makeChapters(CHAPTERS - 1), missing: makeMissing('chapter 18') })).toBeUndefined();
    const chapters = [...makeChapters(6), ...makeChapters(CHAPTERS).slice(7)];
    expect(message({ chapters, missing: makeMissing('chapter 7') })).toBeUndefined();
  });

  it('fails the build with its file and line once all chapters exist', () => {
    const chapters = makeChapters(CHAPTERS);
    expect(isWhole({ chapters })).toBe(true);
    expect(message({ chapters, missing: makeMissing('chapter 19') })).toBe(
      'web/book/chapters/04-x.md:31: [[chapter 19]]: there is no such chapter, they are 1 to 18',
    );
    expect(message({ chapters, missing: makeMissing('equivarant') })).toMatch(
      /^web\/book\/chapters\/04-x\.md:31: \[\[equivarant\]\]: no chapter defines/,
    );
    expect(message({ chapters, missing: [] })).toBeUndefined();
  });
});
