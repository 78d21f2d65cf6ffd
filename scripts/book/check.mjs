// `node scripts/book/check.mjs [number]`: reads one chapter, or the whole book, and says what is wrong with it and how large it is.
// `--language` says how it sounds instead: a help for the writer, which passes no judgement. `--seed N` draws other sentences.
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { readBook } from './book.mjs';
import { wordsIn } from './html.mjs';
import { languageLines } from './language.mjs';
import { missingSentence, refuseMissing } from './missing.mjs';
import { BookProblem } from './problem.mjs';
import { loadMeans } from './web-modules.mjs';

/** @import { Book } from './book.mjs' */

/** What was typed, or one sentence on why it is not understood. */
function asked() {
  const { values, positionals } = parseArgs({
    options: { language: { type: 'boolean', default: false }, seed: { type: 'string' } },
    allowPositionals: true,
  });
  const [only, more] = positionals;
  if (more !== undefined) throw new Error(`${more}: one chapter at a time, or none for the whole book`);
  if (only !== undefined && !/^\d+$/.test(only)) throw new Error(`${only}: a chapter is asked for by its number`);
  if (values.seed !== undefined && !values.language) throw new Error(`--seed ${values.seed}: only --language draws sentences`);
  return { only, language: values.language, seed: values.seed ?? '1' };
}
function askedOrExit() {
  try {
    return asked();
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
    process.exit(1);
  }
}
const { only, language, seed } = askedOrExit();

/** How large each page is, and what it refers to in vain. @param {Book} book */
function sayWhatIsThere(book) {
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

// `node scripts/book/check.mjs | head` closes the pipe before everything is said: that is no mistake.
process.stdout.on('error', (/** @type {NodeJS.ErrnoException} */ thrown) => {
  if (thrown.code === 'EPIPE') process.exit();
  throw thrown;
});
try {
  const book = await readBook(await loadMeans(), {
    only: only === undefined ? undefined : String(Number(only)),
    reference: only === undefined,
  });
  if (language) {
    const chapters = book.chapters.map((page) => ({ file: page.file, html: book.write(page) }));
    for (const line of languageLines(chapters, seed)) console.log(line);
  } else sayWhatIsThere(book);
} catch (thrown) {
  console.error(thrown instanceof BookProblem ? thrown.sentence : thrown);
  process.exitCode = 1;
}
