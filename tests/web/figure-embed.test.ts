// The embedding code of "Export", with and without a known address of the script.
import { expect, it } from 'vitest';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { createEmbedCode } from '../../web/figure/export/menu.ts';
import { kind } from '../../web/figure/kinds/similarity/index.ts';
import { findScriptUrl } from '../../web/package/script-url.ts';

const spec = readSpec(kind, { length: 8 });
const tag = '<phasor-figure kind="similarity" length="8"></phasor-figure>';

it('names the script if its address is known, and leaves it to a bundler otherwise', () => {
  const otherUrl = 'https://cdn.example/phasor@1/figure.js?x=1&y="';
  expect(createEmbedCode(kind, spec, otherUrl)).toBe(
    `<script type="module" src="https://cdn.example/phasor@1/figure.js?x=1&amp;y=&quot;"></script>\n${tag}`,
  );
  expect(createEmbedCode(kind, spec, undefined)).toBe(`<script type="module">import 'phasor/figure';</script>\n${tag}`);
});

it('has a fallback sentence with a link to the figure on the site of the script', () => {
  const code = createEmbedCode(kind, spec, 'https://a.example/some/where/embed/figure.js?v=2');
  const sentence = `${kind.question} If no figure appears here, open it in Phasor.`;
  expect(code).toBe(
    `<script type="module" src="https://a.example/some/where/embed/figure.js?v=2"></script>
<phasor-figure kind="similarity" length="8"><a href="https://a.example/some/where/gallery/?kind=similarity&amp;length=8">${sentence}</a></phasor-figure>`,
  );
});

it('finds the address of the script only if it is a file of the package', () => {
  const findVectors = (script: string | undefined, pageUrl: string) => findScriptUrl(script, new URL(pageUrl), 'word-vectors.json');
  for (const script of ['https://cdn.example/phasor@1/figure.js', 'http://localhost:81/embed/figure.js?v=2'])
    expect(findVectors(script, new URL('word-vectors.json', script).href)).toBe(script);
  // Bundles: with another name, with files elsewhere, or both.
  expect(findVectors('https://a.example/assets/index-DPHM0Gj4.js', 'https://a.example/assets/word-vectors-Cg3.json')).toBeUndefined();
  expect(findVectors('https://a.example/assets/figure.js', 'https://a.example/assets/word-vectors-Cg3.json')).toBeUndefined();
  expect(findVectors('https://a.example/assets/app.js', 'https://a.example/assets/word-vectors.json')).toBeUndefined();
  // Development servers, notebooks, local files, and bundlers without an address.
  expect(
    findVectors('http://localhost/node_modules/.vite/deps/phasor_figure.js', 'http://localhost/node_modules/phasor/word-vectors.json'),
  ).toBeUndefined();
  expect(findVectors('blob:https://a.example/7f3e', 'https://a.example/word-vectors.json')).toBeUndefined();
  expect(findVectors('file:///home/a/figure.js', 'file:///home/a/word-vectors.json')).toBeUndefined();
  expect(findVectors(undefined, 'https://a.example/word-vectors.json')).toBeUndefined();
});
