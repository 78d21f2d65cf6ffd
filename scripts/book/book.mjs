// The whole book: its chapters, appendices and reference, and their cross-references.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { readPage } from './chapter.mjs';
import { chapterName } from './chapter-name.mjs';
import { computed } from './chapter-parts.mjs';
import { faultsText } from './faults-page.mjs';
import { figurePages } from './figure-pages.mjs';
import { readFrontMatter } from './front-matter.mjs';
import { checkNotation } from './notation.mjs';
import { toBook, toRoot } from './places.mjs';
import { escaped, slugOf } from './plain-text.mjs';
import { BookProblem } from './problem.mjs';
import { referencePages } from './reference.mjs';

/** @import { Reference } from './chapter-parts.mjs' */
/** @import { TextSource } from './chapter.mjs' */
/** @import { Place } from './problem.mjs' */
/** @import { BookMeans } from './web-modules.mjs' */

/**
 * The text of a page with its titles. `path` is relative to the folder of the book.
 * @typedef {TextSource & { slug: string, path: string, title: string, short: string, subtitle?: string, description: string }} PageSource
 */
/** @typedef {ReturnType<typeof readPage<PageSource>>} Page */
/** @typedef {{ chapters: Page[], pages: Page[], site: Page[], encodings: Page[], figures: ReturnType<typeof figurePages> }} BookPages */
/** @typedef {ReturnType<typeof bookOf>} Book */
/** @typedef {{ id: string, chapter: Page, place: Place, text: string, name: string }} DefinedTerm */

const CHAPTER = /^(\d\d)-([a-z0-9-]+)\.md$/;
const PAGE = /^([a-z0-9-]+)\.md$/;

/** Reads the Markdown file of a chapter or another page. @param {string} folder @param {string} name @returns {PageSource} */
function sourceOf(folder, name) {
  const file = `${folder}/${name}`;
  const { title, short, subtitle, description, body, line } = readFrontMatter(readFileSync(join(root, file), 'utf8'), file);
  const [, digits, words] = CHAPTER.exec(name) ?? [];
  const slug = words ?? name.replace(/\.md$/, '');
  return { file, slug, path: `${slug}/`, number: digits ? String(Number(digits)) : '', title, short, subtitle, description, body, line };
}

export function chapterSources() {
  const folder = 'web/book/chapters';
  const names = readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort();
  const misnamed = names.find((name) => !CHAPTER.test(name));
  if (misnamed) throw new BookProblem('a chapter is named by two digits and words: 01-order-matters.md', { file: `${folder}/${misnamed}` });
  const sources = names.map((name) => sourceOf(folder, name));
  const twice = sources.find(({ number }, at) => sources.findIndex((one) => one.number === number) !== at);
  if (twice) throw new BookProblem(`chapter ${twice.number} exists already`, { file: twice.file });
  return sources;
}

const pageSources = () =>
  readdirSync(join(root, 'web/book/pages'))
    .filter((name) => PAGE.test(name))
    .sort()
    .map((name) => sourceOf('web/book/pages', name));

/** Pages of the site outside the book, with their paths. */
const SITE = {
  front: '',
  developers: 'developers/',
  recipes: 'developers/recipes/',
  'coming-from': 'developers/coming-from/',
  offline: 'offline/',
  gallery: 'gallery/',
  models: 'models/',
  faults: 'faults/',
  // Static hosts serve it for missing files; scripts/site/not-found.mjs makes its links work at any path.
  'not-found': '',
};
/** @param {BookMeans} means @returns {PageSource[]} */
const siteSources = ({ modules }) =>
  Object.entries(SITE).map(([slug, location]) => {
    const source = { ...sourceOf('web/book/site', `${slug}.md`), path: `../${location}` };
    return slug === 'faults' ? { ...source, body: source.body.replace('<!-- the faults -->', () => faultsText(modules)) } : source;
  });

/** The glossary, collected from the definitions in chapters. @param {Page[]} chapters @returns {PageSource} */
function glossary(chapters) {
  const terms = chapters.flatMap((chapter) => chapter.terms.map((term) => ({ ...term, chapter })));
  const sorted = terms.sort((a, b) => a.name.localeCompare(b.name, 'en'));
  const entries = sorted.map(
    ({ name, source, chapter }) => `## ${name}\n\n${source}\n[[chapter ${chapter.number}|Chapter ${chapter.number}, “${chapter.short}”]]\n`,
  );
  return {
    file: 'the glossary',
    slug: 'glossary',
    path: 'glossary/',
    number: '',
    title: 'Glossary',
    short: 'Glossary',
    description: 'The terms of the book, each with the chapter that introduces it.',
    body: entries.join('\n'),
    line: 0,
  };
}

/** The definitions of the book's terms, by each of their names in lower case. @param {Page[]} chapters */
function termsOf(chapters) {
  /** @type {Map<string, DefinedTerm>} */
  const terms = new Map();
  for (const chapter of chapters) {
    for (const { name, forms, id, place, text } of chapter.terms) {
      for (const form of [name, ...forms]) {
        const known = terms.get(form.toLowerCase());
        if (known) throw new BookProblem(`define: “${form}” is defined already in ${known.place.file}:${known.place.line}`, place);
        terms.set(form.toLowerCase(), { id, chapter, place, text, name });
      }
    }
  }
  return terms;
}

/**
 * Reads the text of the book without computing anything; `compute()` of a page must run before the page is written.
 *
 * @param {BookMeans} means
 * @param {{ only?: string | undefined, reference?: boolean }} [options] `only`: the number of a single chapter to read
 */
export function openBook(means, { only, reference = true } = {}) {
  /** @param {PageSource[]} sources */
  const read = (sources) => sources.map((source) => readPage(source, means));
  const chapters = read(chapterSources().filter(({ number }) => only === undefined || number === only));
  const pages = read(only === undefined ? pageSources() : []);
  pages.push(readPage(glossary(chapters), means));
  const site = read(only === undefined ? siteSources(means) : []);
  const encodings = reference && only === undefined ? referencePages(means) : [];
  const figures =
    only === undefined ? figurePages(means, [...chapters, ...site.filter(({ slug }) => slug === 'faults')]) : { kinds: [], posters: [] };
  return bookOf({ chapters, pages, site, encodings, figures }, means);
}

/** @param {BookPages} book */
export const pagesOf = ({ chapters, pages, encodings, figures, site }) => [
  ...chapters,
  ...pages,
  ...encodings,
  ...figures.kinds,
  ...figures.posters,
  ...site,
];

/** Reads and computes the whole book. @param {BookMeans} means @param {Parameters<typeof openBook>[1]} [options] */
export async function readBook(means, options) {
  const book = openBook(means, options);
  for (const page of pagesOf(book)) await page.compute();
  checkLetters(book, book.chapters);
  return book;
}

/**
 * Checks that every letter in the formulas of these chapters is in the table of notation.
 * @param {Pick<BookPages, 'pages'>} book
 * @param {Page[]} chapters
 */
export function checkLetters({ pages }, chapters) {
  const notation = pages.find(({ slug }) => slug === 'notation');
  if (notation) checkNotation(chapters, notation);
}

/** @param {BookPages} pages @param {BookMeans} means */
function bookOf({ chapters, pages, site, encodings, figures: ofFigures }, means) {
  const terms = termsOf(chapters);
  const ids = new Set(means.phasor.encodings.map(({ id }) => id));
  /** References whose target does not exist; they become text without a link. @type {Reference[]} */
  const missing = [];

  /**
   * @param {Page} page
   * @param {{ alone?: boolean }} [how] `alone`: for the single-file book, which cannot link to the Lab
   */
  function write(page, { alone = false } = {}) {
    const up = toBook(page.path);
    const seen = new Set();
    /** @param {Reference} reference */
    const reference = ({ target, label, place }) => {
      /** @param {string} path @param {string} text */
      const link = (path, text, attributes = '') => `<a${attributes} href="${up}${path}">${escaped(text)}</a>`;
      const [, chapterNumber, figureId] = /^chapter (\d+)(?:#([\w-]+))?$/.exec(target) ?? [];
      if (chapterNumber) {
        const chapter = chapters.find(({ number }) => number === chapterNumber);
        if (chapter && figureId) {
          const figure = chapter.figures.find((one) => one.id === figureId);
          if (!figure) throw new BookProblem(`[[${target}]]: chapter ${chapterNumber} has no figure of this name`, place);
          return link(`${chapter.path}#${figureId}`, label ?? `Figure ${figure.number}`);
        }
        if (chapter) return link(chapter.path, label ?? chapterName(chapter));
        missing.push({ target, place });
        return escaped(label ?? `Chapter ${chapterNumber}`);
      }
      const [, id] = /^encoding (\w+)$/.exec(target) ?? [];
      if (id) {
        if (!ids.has(id)) throw new BookProblem(`[[${target}]]: there is no encoding ${id}; there is ${[...ids].join(', ')}`, place);
        return link(`encodings/${id}/`, label ?? means.modules.encodingDescriptions[id]?.title ?? id);
      }
      const page = pages.find(({ slug }) => `page ${slug}` === target);
      if (page) return link(page.path, label ?? page.title);
      const term = terms.get(target.toLowerCase());
      if (!term) {
        missing.push({ target, place });
        return escaped(label ?? target);
      }
      // Only the first occurrence on a page is a link.
      const text = label ?? target;
      if (seen.has(term.id) || term.chapter.file === place.file) return escaped(text);
      seen.add(term.id);
      return link(`glossary/#${slugOf(term.name)}`, text, ` class="term" title="${escaped(term.text)}"`);
    };
    return computed(page.write)({ lab: alone ? undefined : `${toRoot(page.path)}lab/`, reference });
  }
  return { chapters, pages, site, encodings, figures: ofFigures, terms, missing, write };
}
