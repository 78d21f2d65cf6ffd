// HTML is parsed and edited in place: cases in which regular expressions would find wrong tags or miss some.
import { expect, it } from 'vitest';
import { load } from './read-book.ts';

interface WrittenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly classes: string[];
  readonly inner: string;
  readonly within: WrittenElement[];
  set(name: string, value: string | undefined): void;
  rename(name: string): void;
  replace(html: string): void;
  append(html: string): void;
}
const { readHtml, partsOf } = await load<{
  readHtml: (html: string) => { elements: WrittenElement[]; written(): string };
  partsOf: (html: string, how: { leftOut: string[]; at?: string }) => { id?: string; heading: string; text: string }[];
}>('html.mjs');
const { withPolicy } = (await import(`${process.cwd()}/scripts/site/content-policy.mjs`)) as {
  withPolicy: (html: string, name: string) => string;
};

it('writes unchanged HTML exactly as it was read', () => {
  const html = `<!DOCTYPE html>\n<html  lang=en><head><meta charset="utf-8"/></head><body><p title='a > b'>&nbsp;<br/><svg viewBox="0 0 1 1"><path d="M0"/></svg><noscript><a href=x>y</a></noscript></html>\n`;
  const page = readHtml(html);
  expect(page.written()).toBe(html);
  expect(page.elements.map(({ name }) => name)).toEqual(['html', 'head', 'meta', 'body', 'p', 'br', 'svg', 'path', 'noscript', 'a']);
});

it('edits attributes, names and contents of elements, but not scripts, comments and attribute values', () => {
  const page = readHtml(
    `<!-- <a id="x"> --><script>const tag = '<a id="x">';</script><a title='<a id="x">' id=x>b</a><p class="c d">e</p><i>f<b>g</b></i>`,
  );
  const find = (name: string) => page.elements.find((element) => element.name === name);
  find('a')?.set('id', 'y & "z"');
  find('a')?.set('title', undefined);
  find('p')?.rename('div');
  find('p')?.set('class', 'c');
  find('p')?.set('role', 'note');
  find('p')?.append('!');
  find('b')?.set('id', 'lost');
  find('i')?.replace('<u></u>');
  expect(page.written()).toBe(
    `<!-- <a id="x"> --><script>const tag = '<a id="x">';</script><a id="y &amp; &quot;z&quot;">b</a><div role="note" class="c">e!</div><u></u>`,
  );
});

it('splits the visible text at headings', () => {
  const html =
    '<p>A&nbsp;&amp; <b>b</b></p><h2 id="s">One <a>#</a></h2><math><mi>x</mi></math><p>x &lt; y<svg><text>no</text></svg></p><template><p>no</p></template>';
  expect(partsOf(html, { leftOut: ['svg', 'math', 'template', 'a'], at: 'h2' })).toEqual([
    { heading: '', text: 'A & b' },
    { id: 's', heading: 'One', text: 'x < y' },
  ]);
});

it('caches no figures on disk during tests, whose core may be outdated', async () => {
  const { diskCache } = await load<{ diskCache: (folder: string, seed: string) => (label: string, make: () => string) => Promise<string> }>(
    'disk-cache.mjs',
  );
  const cache = diskCache('figures', String(Math.random()));
  expect(await cache('a figure', () => 'drawn once')).toBe('drawn once');
  expect(await cache('a figure', () => 'drawn again')).toBe('drawn again');
});

it('lists inline scripts and styles by hash in the content security policy, and keeps tags within scripts', () => {
  const page = (body: string) => `<!doctype html><html><head><meta charset="utf-8"></head><body>${body}</body></html>`;
  const html = withPolicy(page(`<script>const tag = '<p style="color: red">';</script><p style='color: red;' class="a">b</p>`), 'a.html');
  expect(html).toContain(`<script>const tag = '<p style="color: red">';</script><p class="own-1 a">b</p>`);
  expect(html).toContain('<style>.own-1{color: red}</style>');
  expect(html).toMatch(
    /<meta charset="utf-8">\n {4}<meta http-equiv="Content-Security-Policy" content="[^"]*script-src[^;]*'sha256-[^;]*; style-src[^;]*'sha256-/,
  );
  expect(() => withPolicy(page('<div><template shadowrootmode="open"><p style="color: red">b</p></template></div>'), 'a.html')).toThrow(
    'a.html: a style attribute in a shadow root',
  );
  expect(() => withPolicy('<p>b</p>', 'a.html')).toThrow('there is no <meta charset>');
});
