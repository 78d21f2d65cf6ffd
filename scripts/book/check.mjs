// `node scripts/book/check.mjs [number]`: reads one chapter, or the whole book, and reports errors and sizes.
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { readBook } from './book.mjs';
import { wordsIn } from './html.mjs';
import { missingSentence, refuseMissing } from './missing.mjs';
import { BookProblem } from './problem.mjs';
import { loadMeans } from './web-modules.mjs';

/** @import { Book } from './book.mjs' */

/** The number of the requested chapter; undefined: the whole book. */
function requestedChapter() {
  const [only, more] = parseArgs({ allowPositionals: true }).positionals;
  if (more !== undefined) throw new Error(`${more}: one chapter at a time, or none for the whole book`);
  if (only !== undefined && !/^\d+$/.test(only)) throw new Error(`${only}: a chapter is selected by its number`);
  return only;
}
function requestedOrExit() {
  try {
    return requestedChapter();
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    process.exit(1);
  }
}
const only = requestedOrExit();

/** Prints the size of each page, and the broken references of the book. @param {Book} book */
function printPages(book) {
  for (const page of [...book.chapters, ...book.pages, ...book.encodings]) {
    const html = book.write(page);
    const words = wordsIn(html, ['template', 'svg', 'pre', 'math']).split(' ').length;
    console.log(
      `${page.file}: ${words} words, ${page.figures.length} figures, ${page.cores.length} values, ${(gzipSync(html).length / 1000).toFixed(1)} kB gzip`,
    );
  }
  if (only === undefined) refuseMissing(book);
  for (const one of book.missing) console.log(missingSentence(one));
}

// `node scripts/book/check.mjs | head` closes the pipe early, which is not an error.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ thrown) => {
  if (thrown.code === 'EPIPE') process.exit();
  throw thrown;
});
try {
  const book = await readBook(await loadMeans(), {
    only: only === undefined ? undefined : String(Number(only)),
    reference: only === undefined,
  });
  printPages(book);
} catch (thrown) {
  console.error(thrown instanceof BookProblem ? thrown.sentence : thrown);
  process.exitCode = 1;
}
