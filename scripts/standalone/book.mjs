// Builds dist/offline/book.html, the whole book in one file. Ids of a page (#drag) are prefixed with its name (#order-matters--drag), and links
// between pages become links within the file.
import { writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readBook } from '../book/book.mjs';
import { chapterName } from '../book/chapter-name.mjs';
import { readHtml } from '../book/html.mjs';
import { refuseMissing } from '../book/missing.mjs';
import { escaped } from '../book/plain-text.mjs';
import { loadMeans } from '../book/web-modules.mjs';
import { modelBlocks } from './models.mjs';
import { packed } from './pack.mjs';
import { engineOf, programOf, trainsAny } from './program.mjs';
import { loadShell } from './shell.mjs';

/** @import { Book, Page } from '../book/book.mjs' */

/** The id of a page within the file, such as 'encodings-rope' for 'encodings/rope/'. @param {string} path */
const addressOf = (path) => path.replace(/\/$/, '').replaceAll('/', '-');

/** Attributes whose values are ids of elements or groups of figures, which are local to a page. */
const ADDRESSES = ['id', 'name', 'for', 'aria-labelledby', 'data-figure', 'group'];
const ELSEWHERE = /^[a-z]+:/;

/** The HTML of a page, with its ids and links adapted to the file. @param {string} html @param {Page} page @param {Set<string>} paths */
function among(html, page, paths) {
  /** @param {string} id */
  const own = (id) => `${addressOf(page.path)}--${id}`;
  /** @param {string} href */
  const linked = (href) => {
    if (ELSEWHERE.test(href)) return href;
    if (href.startsWith('#')) return `#${own(href.slice(1))}`;
    const [path = '', id] = href.split('#');
    const target = posix.join(page.path, path);
    if (!paths.has(target)) throw new Error(`${page.file}: ${href} links to a page outside the book, which is a single file`);
    return `#${addressOf(target)}${id ? `--${id}` : ''}`;
  };
  const written = readHtml(html);
  for (const element of written.elements) {
    const { href, ...attributes } = element.attributes;
    for (const name of ADDRESSES) {
      const id = attributes[name];
      if (id !== undefined) element.set(name, own(id));
    }
    if (href !== undefined) element.set('href', linked(href));
  }
  return written.written();
}

/** @param {Book} book */
function contents({ chapters, pages, encodings }) {
  /** @param {Page} page */
  const entry = ({ number, path, short }) => {
    const before = number ? `<span class="chapter-number">${number}</span> ` : '';
    return `<li>${before}<span><a href="#${addressOf(path)}">${escaped(short)}</a></span></li>`;
  };
  const appendix = [...pages, ...encodings.slice(0, 1)];
  return `<nav class="contents" id="contents" aria-labelledby="contents-title"><h2 id="contents-title">Contents</h2><ol class="chapters">${chapters.map(entry).join('')}</ol><ul class="appendix">${appendix.map(entry).join('')}</ul></nav>`;
}

/** @param {string} out the folder */
export async function buildBook(out) {
  const means = await loadMeans();
  const book = await readBook(means);
  const all = [...book.chapters, ...book.pages, ...book.encodings];
  const paths = new Set(all.map(({ path }) => path));
  const articles = all.map((page) => {
    const eyebrow = page.number ? `<p class="eyebrow">${escaped(chapterName(page))}</p>` : '';
    const head = `<header class="chapter-head">${eyebrow}<h1>${escaped(page.title)}</h1></header>`;
    return `<article class="text" id="${addressOf(page.path)}">${head}${among(book.write(page, { alone: true }), page, paths)}</article>`;
  });
  refuseMissing(book);
  const fill = await loadShell('book');
  const kinds = Object.keys(means.modules.kinds);
  const trains = trainsAny(kinds, means.modules.kinds);
  const program = await programOf({ kinds, trains, texts: [], frequent: Number.POSITIVE_INFINITY });
  const engine = packed('engine', engineOf(trains));
  const figures = all.flatMap((page) => page.figures);
  const html = fill({
    title: 'Position in transformers',
    description: 'A book on positional encodings whose figures are alive, whole in one file.',
    body: articles.join('\n'),
    contents: contents(book),
    blocks: [packed('program', program), engine, ...modelBlocks(figures, means)],
  });
  writeFileSync(join(out, 'book.html'), html);
}
