// Turns the Markdown of a chapter into HTML in three steps: reads the text, computes its figures and values, and writes it.
import { chapterParts, computed } from './chapter-parts.mjs';
import { readText } from './chapter-reading.mjs';
import { checkSymbols } from './chapter-symbols.mjs';
import { chapterWriter } from './chapter-writing.mjs';
import { computedFor } from './problem.mjs';

/** @import { BookMeans } from './web-modules.mjs' */
/** @import { Collected } from './chapter-parts.mjs' */
/** @import { Links } from './chapter-writing.mjs' */

/**
 * The text of a page.
 * @typedef {object} TextSource
 * @property {string} file
 * @property {string} number of the chapter; '' for other pages
 * @property {string} body
 * @property {number} line the number of lines of the file before the body
 */
/** @typedef {Pick<BookMeans, 'modules' | 'core' | 'style' | 'figures' | 'axes' | 'code'>} ChapterMeans */
/** @typedef {ReturnType<typeof readPage<TextSource>>} ReadPage */

/**
 * Computes figures, then values, which may depend on figures, then code blocks.
 * @param {Collected} collected
 * @param {ChapterMeans} means
 */
async function compute({ figures, constants, cores, codes }, means) {
  for (const figure of figures) {
    const created = await computedFor(figure.place, () => means.figures(figure));
    Object.assign(figure, { still: created.still, labHash: created.lab, sentence: created.sentence });
  }
  const specs = new Map(figures.map(({ id, kind, fields }) => [id, { kind, ...fields }]));
  const evaluate = await means.core.evaluator(constants, specs);
  for (const entry of cores) entry.result = await computedFor(entry.place, () => evaluate(entry.source));
  for (const { token } of codes) token.meta = { html: await means.code(token.content, token.info.trim()) };
}

/**
 * Reads the text of a page. `compute()` of the result computes figures and values; after it `write(links)` returns the HTML.
 *
 * @template {TextSource} Source
 * @param {Source} source
 * @param {ChapterMeans} means
 */
export function readPage(source, means) {
  const parts = chapterParts({ number: source.number, modules: means.modules, core: means.core, style: means.style });
  const text = readText(source, parts);
  const { collected, ids, counts } = parts;
  const { terms, figures, constants, cores, codes, references, mathematics } = collected;
  return {
    ...source,
    headings: text.headings,
    ids,
    terms,
    figures,
    constants,
    cores,
    codes,
    references,
    mathematics,
    counts,
    text: text.tokens,
    /** @type {((links: Links) => string) | undefined} set by `compute()` */
    write: undefined,
    async compute() {
      await compute(collected, means);
      await checkSymbols(collected, means);
      this.write = chapterWriter(text, parts, source);
    },
  };
}

/**
 * Reads and computes a page.
 * @template {TextSource} Source
 * @param {Source} source
 * @param {ChapterMeans} means
 */
export async function readChapter(source, means) {
  const page = readPage(source, means);
  await page.compute();
  return Object.assign(page, { write: computed(page.write) });
}
