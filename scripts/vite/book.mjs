// The book as pages of the site: one shell (web/book/index.html), which Vite builds, filled for every chapter. While Vite serves the sources, a
// page is made when it is asked for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBook } from '../book/book.mjs';
import { socialCard } from '../book/card.mjs';
import { loadMeans, root } from '../book/kit.mjs';
import { contentsBody, filled, pageBody, siteBody } from '../book/layout.mjs';
import { missingSentence, refuseMissing } from '../book/missing.mjs';
import { placeOf, toBook } from '../book/places.mjs';
import { BookProblem } from '../book/problem.mjs';
import { searchIndex } from '../book/search.mjs';

const SHELL = 'book/index.html';
const TITLE = 'Position in transformers';
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

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

/** Every page of the book: its path below book/, its HTML before the shell. */
async function pagesOf(means, options) {
  const book = await readBook(means, options);
  const front = {
    path: '',
    title: `${TITLE}: Phasor`,
    description: 'A book on positional encodings whose figures are alive: from the first question to what long-context models do today.',
    body: contentsBody(book, { encodings: means.phasor.encodings.length }),
  };
  const others = [...book.chapters, ...book.pages, ...book.encodings].map((page) => {
    const card = page.number ? `cards/${page.slug}.png` : undefined;
    return {
      page,
      path: page.path,
      title: `${page.title}: Phasor`,
      description: page.description,
      card,
      body: pageBody(book, page),
    };
  });
  const site = book.site.map((page) => {
    const { path, short, title, description } = page;
    return { path, title: path === '../' ? `${short}: ${title}` : `${short}: Phasor`, description, body: siteBody(book, page) };
  });
  refuseMissing(book);
  return { book, pages: [front, ...others, ...site] };
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
      if (!shell) return;
      const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source });
      try {
        const means = await loadMeans();
        const { book: whole, pages } = await pagesOf(means);
        for (const one of whole.missing) this.warn(missingSentence(one));
        const source = String(shell.source);
        for (const page of pages) {
          const html = fill(source, page);
          if (page.path === '') shell.source = html;
          else emit(`${placeOf(page.path)}index.html`, html);
        }
        for (const { slug, number, title, figures } of whole.chapters)
          emit(`book/cards/${slug}.png`, await socialCard({ number, title, picture: figures[0]?.still.card }));
        emit(
          'book/search.json',
          searchIndex(
            pages
              .filter(({ page }) => page)
              .map(({ page, body }) => ({ page, html: body.slice(body.indexOf('</h1>'), body.indexOf('<nav class="around"')) })),
          ),
        );
        emit('sitemap.xml', sitemap(['lab/', ...pages.map(({ path }) => placeOf(path))]));
      } catch (thrown) {
        if (thrown instanceof BookProblem) this.error(thrown.sentence);
        throw thrown;
      }
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const url = new URL(request.url ?? '/', 'http://localhost').pathname;
        if (!/^\/(book\/([\w/-]*\/)?|developers\/(recipes\/|coming-from\/)?|offline\/)?(index\.html|search\.json)?$/.test(url))
          return next();
        try {
          const { pages } = await pagesOf(await loadMeans(), {});
          const wanted = url.replace(/^\/|index\.html$/g, '');
          if (wanted === 'book/search.json') {
            response.setHeader('content-type', 'application/json');
            response.end(searchIndex(pages.filter(({ page }) => page).map(({ page, body }) => ({ page, html: body }))));
            return undefined;
          }
          const page = pages.find(({ path }) => placeOf(path) === wanted);
          if (!page) return next();
          const html = fill(readFileSync(join(root, 'web', SHELL), 'utf8'), page);
          response.setHeader('content-type', 'text/html');
          response.end(await server.transformIndexHtml(url, html));
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
