// Settings of the owner of a site: empty settings and an unknown address are left out.
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const script = (path: string) => import(join(process.cwd(), 'scripts', path));
const { footer, readSettings } = (await script('book/site-pieces.mjs')) as {
  footer: (home: string, settings?: object) => string;
  readSettings: () => Record<string, string>;
};
const { shareTags } = (await script('site/share-tags.mjs')) as { shareTags: (page: object) => string };
const { notFoundPage } = (await script('site/not-found.mjs')) as { notFoundPage: (html: string) => string };

const previousSite = process.env.PHASOR_SITE;
afterEach(() => {
  if (previousSite === undefined) delete process.env.PHASOR_SITE;
  else process.env.PHASOR_SITE = previousSite;
});

describe('page footer', () => {
  it('contains the settings, and nothing for empty ones', () => {
    const empty = Object.fromEntries(Object.keys(readSettings()).map((name) => [name, '']));
    expect(footer('../', empty)).not.toMatch(/site-facts|Feedback|cite/);
    const html = footer('../', {
      ...empty,
      author: 'A & B',
      authorAddress: 'https://example.org/',
      license: 'MIT License',
      licenseAddress: 'LICENSE.txt',
      cite: '@software{phasor}',
      feedbackAddress: 'mailto:us@example.org',
    });
    for (const part of [
      '<a href="https://example.org/">A &amp; B</a>',
      '<a href="../LICENSE.txt">MIT License</a>',
      '<a href="mailto:us@example.org">Feedback</a>',
      '@software{phasor}',
    ])
      expect(html).toContain(part);
  });

  it('has no author and no address by default', () => {
    const { author, authorAddress, feedbackAddress } = readSettings();
    expect([author, authorAddress, feedbackAddress]).toEqual(['', '', '']);
  });
});

describe('share tags', () => {
  const page = { place: 'book/rotation/', title: 'A', description: 'B', card: 'cards/rotation.png' };

  it('contain absolute addresses if the address of the site is set', () => {
    process.env.PHASOR_SITE = 'https://example.org/phasor';
    const tags = shareTags(page);
    expect(tags).toContain('<meta property="og:image" content="https://example.org/phasor/book/cards/rotation.png">');
    expect(tags).toContain('<link rel="canonical" href="https://example.org/phasor/book/rotation/">');
    expect(shareTags({ ...page, place: '', card: undefined })).toContain('content="https://example.org/phasor/book/cards/phasor.png"');
  });

  it('contain no picture and no address otherwise', () => {
    delete process.env.PHASOR_SITE;
    expect(shareTags(page)).not.toMatch(/og:image|og:url|canonical|twitter/);
    expect(shareTags(page)).toContain('<meta property="og:title" content="A">');
  });
});

it('the not-found page has addresses from the root of the site', () => {
  process.env.PHASOR_SITE = 'https://example.org/phasor';
  const html =
    '<!doctype html><html data-root="./"><head><style>a{src:url(./a.woff2)}</style></head><body><a href="book/">a</a><a href="#b">b</a></body></html>';
  const page = notFoundPage(html);
  for (const part of ['data-root="/phasor/"', 'url(/phasor/a.woff2)', 'href="/phasor/book/"', 'href="#b"', 'noindex'])
    expect(page).toContain(part);
});
