// The layout of a page: header, contents, previous and next. It works without scripts.
import { chapterName } from './chapter-name.mjs';
import { aboutFigure } from './figure-pages.mjs';
import { placeOf, toBook, toRoot } from './places.mjs';
import { escaped } from './plain-text.mjs';
import { footer, pictureFile, pictureOf, withAddresses, withPieces } from './site-pieces.mjs';

/** @import { Book, Page } from './book.mjs' */
/** @import { Tile } from './figures.mjs' */
/** @import { FigurePage } from './figure-pages.mjs' */

/** @param {string} up @param {string} path @param {string} text */
const link = (up, path, text, attributes = '') => `<a href="${up}${path}"${attributes}>${escaped(text)}</a>`;

/** The list of chapters and appendices, with the sections of the current page. @param {Book} book @param {Page} page @param {string} up */
function contents({ chapters, pages, encodings }, page, up) {
  /** @param {Page} one */
  const entry = (one) => {
    const here = one.file === page.file;
    const number = one.number ? `<span class="chapter-number">${one.number}</span> ` : '';
    const sections = here
      ? `<ol class="sections">${one.headings
          .filter(({ level }) => level === 2)
          .map(({ text, id }) => `<li><a href="#${id}">${escaped(text)}</a></li>`)
          .join('')}</ol>`
      : '';
    return `<li data-page="${one.path}">${number}<span>${link(up, one.path, one.short, here ? ' aria-current="page"' : '')}${sections}</span></li>`;
  };
  const appendix = [...pages, ...encodings.slice(0, 1)];
  return `<nav class="contents" id="contents" aria-labelledby="contents-title"><h2 id="contents-title">${link(up, '', 'Contents')}</h2><ol class="chapters">${chapters.map(entry).join('')}</ol><ul class="appendix">${appendix.map(entry).join('')}</ul><p class="saving"><button type="button" class="save" data-save="book.html" hidden>Save the book for offline</button></p></nav>`;
}

/** @type {[place: string, name: string][]} */
const PLACES = [
  ['book/', 'Book'],
  ['lab/', 'Lab'],
  ['gallery/', 'Gallery'],
  ['models/', 'Models'],
  ['faults/', 'Faults'],
  ['developers/', 'Code'],
  ['offline/', 'Offline'],
];

/** @param {string} home the root of the site, relative to the page @param {string} [location] of the page */
export const placeLinks = (home, location) =>
  PLACES.map(([to, name]) => `<a href="${home}${to}"${location === to ? ' aria-current="page"' : ''}>${name}</a>`).join('');

/** @param {string} path of the page */
function header(path) {
  const up = toBook(path);
  const home = toRoot(path);
  const location = placeOf(path);
  const inBook = location.startsWith('book/');
  return `<header class="book-head">
      <p class="book-name"><a href="${home}">Phasor</a>${inBook ? ' <span>the book</span>' : ''}</p>
      <form class="search" role="search" data-search="${up}search.json"><label><span class="visually-hidden">Search the book</span><input type="search" name="q" placeholder="Search" autocomplete="off"></label><div class="found" role="status"></div></form>
      <nav class="places" aria-label="Site">${inBook ? '<a class="to-contents" href="#contents">Contents</a>' : ''}${placeLinks(home, location)}<label class="theme" hidden>Colours <select name="theme"><option value="system">system</option><option value="light">light</option><option value="dark">dark</option></select></label></nav>
    </header>`;
}

/** @param {Book} book @param {Page} page */
const listOf = ({ chapters, pages, encodings, figures }, page) =>
  [chapters, pages, encodings, figures.kinds, figures.posters].find((list) => list.includes(page)) ?? [];

/** @param {Book} book @param {Page} page @param {string} up */
function around(book, page, up) {
  const list = listOf(book, page);
  const at = list.indexOf(page);
  /** @param {Page | undefined} one @param {'prev' | 'next'} rel @param {string} words */
  const side = (one, rel, words) =>
    one
      ? `<a rel="${rel}" href="${up}${one.path}"><span>${words}</span> ${one.number ? `${one.number} ` : ''}${escaped(one.title)}</a>`
      : '<span></span>';
  return `<nav class="around" aria-label="Previous and next">${side(list[at - 1], 'prev', 'Previous')}${side(list[at + 1], 'next', 'Next')}</nav>`;
}

/** The content of <body> for a chapter or an appendix. @param {Book} book @param {Page} page */
export function pageBody(book, page) {
  const up = toBook(page.path);
  const number = page.number
    ? `<p class="eyebrow">${escaped(chapterName(page))}${page.subtitle ? ` · ${escaped(page.subtitle)}` : ''}</p>`
    : page.path.startsWith('encodings/') && page.slug !== 'encodings'
      ? `<p class="eyebrow">${link(up, 'encodings/', 'Encodings')}</p>`
      : '';
  return `${header(page.path)}
    <div class="page">
      <main id="text" class="text" tabindex="-1">
        <header class="chapter-head">${number}<h1>${escaped(page.title)}</h1></header>
        ${book.write(page)}
        ${around(book, page, up)}
      </main>
      ${contents(book, page, up)}
    </div>`;
}

/**
 * The content of <body> for a page of the site outside the book.
 * @param {Book} book
 * @param {Page} page
 * @param {{ pieces?: Record<string, string>, addresses: { site: string | undefined, files: Record<string, string> } }} created the generated parts of the page
 */
export function siteBody(book, page, created) {
  const { pieces = {}, addresses } = created;
  const home = toRoot(page.path);
  const text = withAddresses(withPieces(book.write(page), pieces), home, addresses);
  return `${header(page.path)}
    <div class="page front">
      <main id="text" class="text site ${page.slug}" tabindex="-1">
        <header class="chapter-head"><h1>${escaped(page.title)}</h1></header>
        ${text}
      </main>
      ${footer(home)}
    </div>`;
}

/** The content of <body> for the page of a figure. @param {Book} book @param {FigurePage} page */
export function figureBody(book, page) {
  const home = toRoot(page.path);
  return `${header(page.path)}
    <div class="page front">
      <main id="text" class="text site one-figure" tabindex="-1" data-kind="${page.figurePage.kind}">
        <header class="chapter-head"><p class="eyebrow"><a href="${home}gallery/">← Gallery</a> · ${escaped(page.figurePage.group)}</p><h1>${escaped(page.title)}</h1></header>
        ${book.write(page)}
        ${aboutFigure(page, home)}
        ${around(book, page, toBook(page.path))}
      </main>
      ${footer(home)}
    </div>`;
}

/**
 * The content of <body> for the contents page: a description of the book, and each chapter with its title and picture.
 * @param {Book} book
 * @param {{ encodings: number, pictures: Tile[] }} of the number of encodings, and pictures whose ids are slugs of chapters
 */
export function contentsBody(book, { encodings, pictures }) {
  /** @param {string} slug */
  const picture = (slug) => {
    const found = pictures.find(({ id }) => id === slug);
    return found ? `<span class="chapter-picture">${pictureOf(found, (theme) => pictureFile(found, theme))}</span>` : '';
  };
  /** @param {Page} page */
  const chapter = ({ number, slug, title, subtitle, path, description }) =>
    `<li data-page="${path}"><span class="chapter-number">${number}</span><div><h2>${link('', path, title)}</h2>${subtitle ? `<p class="methods">${escaped(subtitle)}</p>` : ''}<p>${escaped(description)}</p></div>${picture(slug)}</li>`;
  return `${header('')}
    <div class="page front">
      <main id="text" class="text" tabindex="-1">
        <header class="chapter-head"><h1>Position in transformers</h1><p class="lead">A book whose figures are alive. Every number on these pages is computed by the same tested core, most of them while you read, on your own sentence if you like.</p></header>
        <ol class="all-chapters" id="contents">${book.chapters.map(chapter).join('')}</ol>
        <h2>At the end</h2>
        <ul class="all-pages">${[...book.pages, ...book.encodings.slice(0, 1)].map(({ path, title, description }) => `<li>${link('', path, title)}: ${escaped(description)}</li>`).join('')}</ul>
        <p class="saving"><button type="button" class="save" data-save="book.html" hidden>Save the book for offline</button></p>
        <p class="quiet">${encodings} encodings, one C++ core, no server.</p>
      </main>
      ${footer('../')}
    </div>`;
}

/**
 * Fills the HTML template `shell` for a page.
 * @param {string} shell
 * @param {{ path: string, title: string, description: string, head: string, body: string }} page
 */
export function filled(shell, { path, title, description, head, body }) {
  const root = toRoot(path);
  return shell
    .replaceAll(/(href="|src="|url\()\.\.\//g, `$1${root}`)
    .replace('book:root', root)
    .replace('data-page="book:page"', `data-page="${path}"`)
    .replace('book:title', escaped(title))
    .replace('book:description', escaped(description))
    .replace('<!--book:head-->', () => head)
    .replace('<!--book:body-->', () => body);
}
