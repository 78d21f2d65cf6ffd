// `node scripts/book/check.mjs [number]`: reads one chapter, or the whole book, and says what is wrong with it and how large it is.
import { gzipSync } from 'node:zlib';
import { readBook } from './book.mjs';
import { loadMeans } from './kit.mjs';
import { BookProblem } from './problem.mjs';

const [only] = process.argv.slice(2);
try {
  const book = await readBook(await loadMeans(), { only: only && String(Number(only)), reference: only === undefined });
  for (const page of [...book.chapters, ...book.pages, ...book.encodings]) {
    const html = book.write(page);
    const words = html
      .replaceAll(/<(template|svg|pre|math)[\s\S]*?<\/\1>/g, ' ')
      .replaceAll(/<[^>]*>/g, ' ')
      .split(/\s+/).length;
    console.log(
      `${page.file}: ${words} words, ${page.figures.length} figures, ${page.cores.length} values, ${(gzipSync(html).length / 1000).toFixed(1)} kB gzip`,
    );
  }
  for (const { target, place } of book.missing)
    console.log(`${place.file}:${place.line}: [[${target}]] is not in the book yet and is shown as text`);
} catch (thrown) {
  console.error(thrown instanceof BookProblem ? thrown.sentence : thrown);
  process.exitCode = 1;
}
