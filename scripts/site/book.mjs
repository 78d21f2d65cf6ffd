// The book as pages of the site: one shell (web/book/index.html), which Vite builds, filled for every chapter. While Vite serves the sources, a
// page is computed when it is asked for, and the terminal says so.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkLetters, openBook, readBook } from '../book/book.mjs';
import { socialCard } from '../book/card.mjs';
import { loadMeans } from '../book/kit.mjs';
import { contentsBody, filled, pageBody, siteBody } from '../book/layout.mjs';
import { missingSentence, refuseMissing } from '../book/missing.mjs';
import { placeOf, toBook } from '../book/places.mjs';
import { escaped } from '../book/plain-text.mjs';
import { BookProblem } from '../book/problem.mjs';
import { searchIndex } from '../book/search.mjs';
import { root } from '../root.mjs';

const SHELL = 'book/index.html';
const TITLE = 'Position in transformers';
/** The address of the site, such as https://example.org/phasor/: only sitemaps and cards need it. */
const address = () => (process.env.PHASOR_SITE ? `${process.env.PHASOR_SITE.replace(/\/*$/, '')}/` : undefined);

function headOf({ path, title, description, card }) {
  const site = address();
  const up = toBook(path);
  const image = card && (site ? `${site}book/${card}` : `${up}${card}`);
  const meta = {
    'og:type': 'article',
    'og:title': title,
    'og:description': description,
    ...(site ? { 'og:url': `${site}${placeOf(path)}` } : {}),
    ...(image ? { 'og:image': image } : {}),
  };
  const tags = Object.entries(meta).map(([name, value]) => `<meta property="${name}" content="${escaped(value)}">`);
  if (image) tags.push('<meta name="twitter:card" content="summary_large_image">');
  if (site) tags.push(`<link rel="canonical" href="${site}${placeOf(path)}">`);
  return tags.join('\n    ');
}

/** The contents: the front page of the book. */
const frontOf = (book, means) => ({
  path: '',
  title: `${TITLE}: Phasor`,
  description: 'A book on positional encodings whose figures are alive: from the first question to what long-context models do today.',
  body: contentsBody(book, { encodings: means.phasor.encodings.length }),
});

/** A page that was computed, as it goes into the shell. */
function writtenPage(book, page) {
  const { path, title, short, description } = page;
  if (book.site.includes(page))
    return { path, title: path === '../' ? `${short}: ${title}` : `${short}: Phasor`, description, body: siteBody(book, page) };
  const card = page.number ? `cards/${page.slug}.png` : undefined;
  return { page, path, title: `${title}: Phasor`, description, card, body: pageBody(book, page) };
}

const inBook = ({ chapters, pages, encodings }) => [...chapters, ...pages, ...encodings];

/** Every page, in the order in which sitemap and search name them. */
function allPages(book, means) {
  const written = [...inBook(book), ...book.site].map((page) => writtenPage(book, page));
  refuseMissing(book);
  return [frontOf(book, means), ...written];
}

/** What readers search: the pages of the book without what stands around their text. */
const searchIn = (pages) =>
  searchIndex(
    pages
      .filter(({ page }) => page)
      .map(({ page, body }) => ({ page, html: body.slice(body.indexOf('</h1>'), body.indexOf('<nav class="around"')) })),
  );

/** The shell as Vite serves it: files outside its root, such as the fonts, have addresses of another form then. */
const servedShell = () =>
  readFileSync(join(root, 'web', SHELL), 'utf8').replace('../../build/', `/@fs/${join(root, 'build').replace(/^\//, '')}/`);

/** What a page or the search of the served sources is, computed now. @returns {Promise<{ type: string, text: string } | undefined>} */
async function served(wanted, tell) {
  const means = await tell('loading the core and the kinds of figures', loadMeans);
  const book = openBook(means);
  const compute = (page, words) => tell(`computing the figures of ${words}`, () => page.compute());
  if (wanted === 'book/search.json') {
    const pages = inBook(book);
    for (const [at, page] of pages.entries()) await compute(page, `“${page.title}”, page ${at + 1} of ${pages.length}, for the search`);
    return { type: 'application/json', text: searchIn(pages.map((page) => writtenPage(book, page))) };
  }
  const shell = servedShell();
  if (wanted === placeOf('')) return { type: 'text/html', text: fill(shell, frontOf(book, means)) };
  const page = [...inBook(book), ...book.site].find(({ path }) => placeOf(path) === wanted);
  if (!page) return undefined;
  await compute(page, `“${page.title}”`);
  if (page.number) checkLetters(book, [page]);
  return { type: 'text/html', text: fill(shell, writtenPage(book, page)) };
}

const fill = (shell, page) => filled(shell, { ...page, head: headOf(page) });

const sitemap = (paths) => {
  const site = address() ?? './';
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
      const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
      try {
        const means = await loadMeans();
        const whole = await readBook(means);
        const pages = allPages(whole, means);
        for (const one of whole.missing) this.warn(missingSentence(one));
        const source = String(shell.source);
        for (const page of pages) {
          const html = fill(source, page);
          if (page.path === '') shell.source = html;
          else emit(`${placeOf(page.path)}index.html`, html);
        }
        for (const { slug, number, title, figures } of whole.chapters)
          emit(`book/cards/${slug}.png`, await socialCard({ number, title, picture: figures[0]?.still.card }));
        emit('book/search.json', searchIn(pages));
        emit('sitemap.xml', sitemap(['lab/', ...pages.map(({ path }) => placeOf(path))]));
      } catch (thrown) {
        if (thrown instanceof BookProblem) this.error(thrown.sentence);
        throw thrown;
      }
    },
    configureServer(server) {
      const told = new Set();
      /** Says before its first time what is being done, since it may keep a request waiting, and how long it took. */
      async function tell(words, work) {
        if (!told.has(words)) server.config.logger.info(`book: ${words}`);
        told.add(words);
        const start = performance.now();
        const result = await work();
        const seconds = (performance.now() - start) / 1000;
        if (seconds > 0.3) server.config.logger.info(`book: done in ${seconds.toFixed(1)} s`);
        return result;
      }
      server.middlewares.use(async (request, response, next) => {
        const url = new URL(request.url ?? '/', 'http://localhost').pathname;
        if (!/^\/(book\/([\w/-]*\/)?|developers\/(recipes\/|coming-from\/)?|offline\/)?(index\.html|search\.json)?$/.test(url))
          return next();
        try {
          const answer = await served(url.replace(/^\/|index\.html$/g, ''), tell);
          if (!answer) return next();
          response.setHeader('content-type', answer.type);
          response.end(answer.type === 'text/html' ? await server.transformIndexHtml(url, answer.text) : answer.text);
        } catch (thrown) {
          response.statusCode = 500;
          response.setHeader('content-type', 'text/plain; charset=utf-8');
          response.end(thrown instanceof BookProblem ? thrown.sentence : String(thrown.stack));
        }
        return undefined;
      });
    },
  };
}
