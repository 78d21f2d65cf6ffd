// The pages of the book: Vite builds one shell (web/book/index.html), and this plugin fills it for every page. The development server computes a page
// on request and prints a message in the terminal.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkLetters, openBook, pagesOf, readBook } from '../book/book.mjs';
import { siteCard, socialCard } from '../book/card.mjs';
import { contentsBody, figureBody, filled, pageBody, siteBody } from '../book/layout.mjs';
import { missingSentence, refuseMissing } from '../book/missing.mjs';
import { familiesJson, modelsPage } from '../book/models-page.mjs';
import { placeOf, toRoot } from '../book/places.mjs';
import { BookProblem } from '../book/problem.mjs';
import { searchIndex } from '../book/search.mjs';
import { download, gallery, wall } from '../book/site-pieces.mjs';
import { loadMeans } from '../book/web-modules.mjs';
import { root } from '../root.mjs';
import { pictureAt, pictureFiles, picturesOf, posterOf, tilesOf } from './book-pictures.mjs';
import { movedPages } from './moved-pages.mjs';
import { notFoundPage } from './not-found.mjs';
import { packageFile, wheelFile } from './package-file.mjs';
import { SITE_CARD, shareTags } from './share-tags.mjs';
import { siteAddress } from './site-address.mjs';

/** @import { Book, Page } from '../book/book.mjs' */
/** @import { Tile } from '../book/figures.mjs' */
/** @import { BookMeans } from '../book/web-modules.mjs' */

/**
 * The contents of the shell for a page.
 * @typedef {object} WrittenPage
 * @property {Page} [page] the page of the book, if the search index contains it
 * @property {string} [slug] the slug, for pages of the site outside the book
 * @property {string} path
 * @property {string} title
 * @property {string} description
 * @property {string | undefined} [card]
 * @property {string} body
 */
/** @typedef {<Result>(words: string, work: () => Result | Promise<Result>) => Promise<Result>} Tell runs a task, with messages in the terminal */

const SHELL = 'book/index.html';
const TITLE = 'Position in transformers';
/** The front page of the book: its table of contents. @param {Book} book @param {BookMeans} means @param {Tile[]} pictures @returns {WrittenPage} */
const frontOf = (book, means, pictures) => ({
  path: '',
  title: `${TITLE}: Phasor`,
  description: 'A book on positional encodings whose figures are alive: from the first question to what long-context models do today.',
  body: contentsBody(book, { encodings: means.phasor.encodings.length, pictures }),
});

/** The tiles of kinds without a figure on the page. @param {Tile[]} tiles @param {Page['figures']} figures */
const tilesBeside = (tiles, figures) => tiles.filter(({ id }) => !figures.some(({ kind }) => kind === id));

/** The generated parts of a page of the site. @param {Page} page @param {BookMeans} means @param {Tile[]} tiles */
function madeFor({ path, slug, figures }, { modules, phasor }, tiles) {
  const home = toRoot(path);
  const file = packageFile();
  return {
    pieces: {
      'the wall': wall(modules.WALL, home),
      ...(slug === 'gallery' ? { 'the gallery': gallery(tilesBeside(tiles, figures), home, modules) } : {}),
      ...(slug === 'models' ? { 'the models': modelsPage(phasor, modules, home) } : {}),
      'the package': download(file, home),
    },
    addresses: {
      site: siteAddress(),
      files: {
        'embed/figure.js': 'embed/figure.js',
        'gallery/': 'gallery/',
        package: file?.name ?? 'phasor.tgz',
        wheel: wheelFile()?.name ?? 'phasor.whl',
      },
    },
  };
}

/**
 * The contents of the shell for a computed page.
 * @param {Book} book
 * @param {Page} page
 * @param {BookMeans} means
 * @param {Tile[]} tiles
 * @returns {WrittenPage}
 */
function writtenPage(book, page, means, tiles = []) {
  const { path, title, short, subtitle, description } = page;
  if (book.site.includes(page)) {
    const whole = page.slug === 'front' ? `${short}: ${title}` : `${short}: Phasor`;
    return { slug: page.slug, path, title: whole, description, body: siteBody(book, page, madeFor(page, means, tiles)) };
  }
  if ('figurePage' in page)
    return {
      page,
      path,
      title: `${title} · Phasor`,
      description,
      body: figureBody(book, /** @type {import('../book/figure-pages.mjs').FigurePage} */ (page)),
    };
  const card = page.number ? `cards/${page.slug}.png` : undefined;
  const named = subtitle ? `${title} ${subtitle}` : title;
  return { page, path, title: `${named}: Phasor`, description, card, body: pageBody(book, page) };
}

/**
 * All pages, in the order of the sitemap and the search index.
 * @param {Book} book
 * @param {BookMeans} means
 * @param {{ tiles: Tile[], pictures: Tile[] }} of
 */
function allPages(book, means, { tiles, pictures }) {
  const written = pagesOf(book).map((page) => writtenPage(book, page, means, tiles));
  refuseMissing(book);
  return [frontOf(book, means, pictures), ...written];
}

/** The search index of the pages of the book, without their navigation. @param {WrittenPage[]} pages @param {BookMeans} means */
const searchIn = (pages, { modules }) =>
  searchIndex(
    pages.flatMap(({ page, body }) =>
      page ? [{ page, html: body.slice(body.indexOf('</h1>'), body.indexOf('<nav class="around"')) }] : [],
    ),
    modules,
  );

/** The shell for the development server, which serves files outside its root, such as fonts, under /@fs/. */
const servedShell = () =>
  readFileSync(join(root, 'web', SHELL), 'utf8').replace('../../build/', `/@fs/${join(root, 'build').replace(/^\//, '')}/`);

/**
 * A page or the search index of the served sources, computed on request.
 * @param {string} requested
 * @param {Tell} tell
 * @returns {Promise<{ type: string, text: string } | undefined>}
 */
async function served(requested, tell) {
  const means = await tell('loading the core and the kinds of figures', loadMeans);
  const book = openBook(means);
  /** @param {Page} page @param {string} words */
  const compute = (page, words) => tell(`computing the figures of ${words}`, () => page.compute());
  if (requested === 'book/search.json') {
    const pages = pagesOf(book).filter((page) => !book.site.includes(page));
    for (const [at, page] of pages.entries()) await compute(page, `“${page.title}”, page ${at + 1} of ${pages.length}, for the search`);
    return {
      type: 'application/json',
      text: searchIn(
        pages.map((page) => writtenPage(book, page, means)),
        means,
      ),
    };
  }
  if (requested === 'models/families.json') return { type: 'application/json', text: familiesJson() };
  const shell = servedShell();
  if (requested === placeOf('')) return { type: 'text/html', text: fill(shell, frontOf(book, means, await picturesOf(book, means))) };
  if (requested.endsWith('.svg')) {
    const text = await tell(`drawing ${requested}`, () => pictureAt(means, book, requested));
    return text === undefined ? undefined : { type: 'image/svg+xml', text };
  }
  const page = pagesOf(book).find(({ path, slug }) => placeOf(path) === requested && slug !== 'not-found');
  if (!page) return undefined;
  await compute(page, `“${page.title}”`);
  if (page.number) checkLetters(book, [page]);
  return { type: 'text/html', text: fill(shell, writtenPage(book, page, means, page.slug === 'gallery' ? await tilesOf(means) : [])) };
}

/** @param {string} shell @param {WrittenPage} page */
const fill = (shell, page) => filled(shell, { ...page, head: shareTags({ ...page, place: placeOf(page.path) }) });

/** @param {string[]} paths */
const sitemap = (paths) => {
  const site = siteAddress() ?? './';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${paths.map((path) => `  <url><loc>${site}${path}</loc></url>`).join('\n')}\n</urlset>\n`;
};

/** @returns {import('vite').Plugin} */
export function book() {
  return {
    name: 'phasor-book',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const shell = bundle[SHELL];
      if (shell?.type !== 'asset') return;
      /** @param {string} fileName @param {string | Uint8Array} source */
      const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
      try {
        const means = await loadMeans();
        const whole = await readBook(means);
        const pages = allPages(whole, means, { tiles: await tilesOf(means), pictures: await picturesOf(whole, means) });
        for (const one of whole.missing) this.warn(missingSentence(one));
        const source = String(shell.source);
        for (const page of pages) {
          const html = fill(source, page);
          if (page.path === '') shell.source = html;
          else if (page.slug === 'not-found') emit('404.html', notFoundPage(html));
          else emit(`${placeOf(page.path)}index.html`, html);
        }
        const addresses = pages.map(({ path, title }) => ({ path: placeOf(path), title }));
        for (const { file, html } of movedPages(addresses)) emit(file, html);
        for (const { slug, number, short, title, figures } of whole.chapters)
          emit(`book/cards/${slug}.png`, await socialCard({ number, short, title, picture: figures[0]?.still?.card }));
        for (const [file, text] of Object.entries(await pictureFiles(means, whole))) emit(file, text);
        emit(
          `book/${SITE_CARD}`,
          await siteCard(pages.find(({ slug }) => slug === 'front')?.title ?? TITLE, await posterOf(means, 'nautilus')),
        );
        for (const file of [packageFile(), wheelFile()]) if (file) emit(file.name, file.bytes);
        emit('LICENSE.txt', readFileSync(join(root, 'LICENSE')));
        emit('models/families.json', familiesJson());
        emit('book/search.json', searchIn(pages, means));
        const found = pages.filter(({ slug }) => slug !== 'not-found');
        emit('sitemap.xml', sitemap(['lab/', ...found.map(({ path }) => placeOf(path))]));
      } catch (thrown) {
        if (thrown instanceof BookProblem) this.error(thrown.sentence);
        throw thrown;
      }
    },
    configureServer(server) {
      /** @type {Set<string>} */
      const announced = new Set();
      /** Prints a message before the first run of a task, because a request may wait for it, and the time of slow tasks. @type {Tell} */
      async function tell(words, work) {
        if (!announced.has(words)) server.config.logger.info(`book: ${words}`);
        announced.add(words);
        const start = performance.now();
        const result = await work();
        const seconds = (performance.now() - start) / 1000;
        if (seconds > 0.3) server.config.logger.info(`book: done in ${seconds.toFixed(1)} s`);
        return result;
      }
      server.middlewares.use(async (request, response, next) => {
        const url = new URL(request.url ?? '/', 'http://localhost').pathname;
        if (
          !/^\/(book\/([\w/-]*\/)?|developers\/(recipes\/|coming-from\/)?|offline\/|gallery\/([\w-]+\/){0,2}|models\/|faults\/|wall\/)?(index\.html|search\.json|families\.json|[\w-]+-(light|dark)\.svg)?$/.test(
            url,
          )
        )
          return next();
        try {
          const answer = await served(url.replace(/^\/|index\.html$/g, ''), tell);
          if (!answer) return next();
          response.setHeader('content-type', answer.type);
          response.end(answer.type === 'text/html' ? await server.transformIndexHtml(url, answer.text) : answer.text);
        } catch (thrown) {
          response.statusCode = 500;
          response.setHeader('content-type', 'text/plain; charset=utf-8');
          response.end(thrown instanceof BookProblem ? thrown.sentence : thrown instanceof Error ? thrown.stack : String(thrown));
        }
        return undefined;
      });
    },
  };
}
