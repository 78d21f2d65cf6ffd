// Links of the built site, in its pages and in the API reference.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const site = join(process.cwd(), 'dist/site');

it('has no dead links and no missing anchors', () => {
  const read = (path: string) => readFileSync(join(site, path), 'utf8');
  const pages = [...read('sitemap.xml').matchAll(/<loc>(?:\.\/|https?:\/\/[^<]*?\/)?([^<]*)<\/loc>/g)].map(([, path]) => path ?? '');
  expect(pages.length).toBeGreaterThan(30);
  expect(pages).toEqual(expect.arrayContaining(['', 'lab/', 'developers/', 'models/', 'book/', 'book/encodings/rope/']));
  const idsOf = (path: string) => new Set([...read(`${path}index.html`).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
  const ids = new Map(pages.map((path) => [path, idsOf(path)]));
  for (const path of pages) {
    for (const [, href = ''] of read(`${path}index.html`).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (/^https?:/.test(href)) continue;
      const { pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `http://site/${path}`);
      const target = pathname.slice(1);
      // The API reference and files are not in the sitemap.
      if (target === 'developers/api/') continue;
      if (/\.(tgz|txt|js|json|py)$/.test(target)) {
        expect(existsSync(join(site, target)), `${path} links to ${href}`).toBe(true);
        continue;
      }
      expect([...ids.keys()], `${path} links to ${href}`).toContain(target);
      // Fragments of the Lab encode its state; they are not ids of the page.
      if (hash && target !== 'lab/')
        expect([...(ids.get(target) ?? [])], `${path} links to ${href}`).toContain(decodeURIComponent(hash.slice(1)));
    }
  }
});

it('redirects a merged chapter to the chapter that contains it', () => {
  const page = readFileSync(join(site, 'book/what-a-good-encoding-needs/index.html'), 'utf8');
  const [, target = ''] = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(page) ?? [];
  expect(page).toContain(`<a href="${target}">`);
  expect(existsSync(join(site, 'book/what-a-good-encoding-needs', target, 'index.html'))).toBe(true);
});

it('has an API reference with valid relative links and no inline scripts or styles', () => {
  const folder = 'developers/api';
  const pages = readdirSync(join(site, folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.html'));
  expect(pages).toEqual(expect.arrayContaining(['index.html', 'interfaces/phasor.Phasor.html', 'functions/phasor.splitHeads.html']));
  // The first page lists every function, method and type.
  const index = readFileSync(join(site, folder, 'index.html'), 'utf8');
  const names = ['splitHeads', 'attention', 'PositionTableRequest', 'createPhasorPool', 'RenderHTML', 'WidgetModel'];
  expect(names.filter((name) => !index.includes(`>${name}</a>`))).toEqual([]);
  const missing = new Set<string>();
  for (const page of pages) {
    const html = readFileSync(join(site, folder, page), 'utf8');
    expect(html, page).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle="/);
    for (const [, address = ''] of html.matchAll(/\s(?:href|src)="([^"#]*)[^"]*"/g)) {
      if (address === '' || /^https:\/\/developer\.mozilla\.org\//.test(address)) continue;
      expect(address, page).not.toMatch(/^(\/|\w+:)/);
      const path = join(site, dirname(join(folder, page)), decodeURIComponent(address));
      if (!existsSync(path.endsWith('/') ? join(path, 'index.html') : path)) missing.add(`${page}: ${address}`);
    }
  }
  expect([...missing]).toEqual([]);
});
