// `node scripts/book/check.mjs [number]`: reads one chapter, or the whole book, and says what is wrong with it and how large it is.
// `--language` says how it sounds instead: a help for the writer, which passes no judgement. `--seed N` draws other sentences.
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { readBook } from './book.mjs';
import { partsOf } from './html.mjs';
import { languageLines } from './language.mjs';
import { missingSentence, refuseMissing } from './missing.mjs';
import { BookProblem } from './problem.mjs';
import { loadMeans } from './web-modules.mjs';

const { values, positionals } = parseArgs({
  options: { language: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const [only] = positionals;
// `node scripts/book/check.mjs | head` closes the pipe before everything is said: that is no mistake.
process.stdout.on('error', (thrown) => {
  if (thrown.code === 'EPIPE') process.exit();
  throw thrown;
});
try {
  const book = await readBook(await loadMeans(), { only: only && String(Number(only)), reference: only === undefined });
  if (values.language) {
    const chapters = book.chapters.map((page) => ({ file: page.file, html: book.write(page) }));
    for (const line of languageLines(chapters, values.seed)) console.log(line);
    process.exit();
  }
  for (const page of [...book.chapters, ...book.pages, ...book.encodings]) {
    const html = book.write(page);
    const [{ text }] = partsOf(html, { leftOut: ['template', 'svg', 'pre', 'math'] });
    const words = text.split(' ').length;
    console.log(
      `${page.file}: ${words} words, ${page.figures.length} figures, ${page.cores.length} values, ${(gzipSync(html).length / 1000).toFixed(1)} kB gzip`,
    );
  }
  if (only === undefined) refuseMissing(book);
  for (const one of book.missing) console.log(missingSentence(one));
} catch (thrown) {
  console.error(thrown instanceof BookProblem ? thrown.sentence : thrown);
  process.exitCode = 1;
}
