// The first picture of the page, computed by the real core when the site is built: readers see words and arcs before any script
// has arrived.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../root.mjs';

/** @param {() => import('vite').Plugin[]} plugins what the sources need to be loaded here */
export function firstPicture(plugins) {
  const load = async (path) => (await runnerImport(join(root, path), { configFile: false, logLevel: 'error', plugins: plugins() })).module;
  return {
    name: 'phasor-first-picture',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes('<!-- the first picture -->')) return html;
        const { createPhasor } = await load('web/engine/node.ts');
        const { fields, sentenceNumbers } = await load('web/figure/kinds/sentence/numbers.ts');
        const { readSpec } = await load('web/figure/contract/spec.ts');
        const { WordVectors } = await load('web/sentence/word-vectors.ts');
        const { firstArcs, firstPlaces, firstWords } = await load('web/lab/page/first-picture.ts');
        const { sharedFields } = await load('web/lab/state/sharing.ts');
        const { INITIAL } = await load('web/lab/state/state.ts');
        const wasm = await readFile(join(root, 'build/wasm/phasor-simd.wasm'));
        const engine = await createPhasor({ variant: 'simd', wasm });
        const spec = readSpec({ id: 'sentence', fields }, sharedFields(INITIAL));
        const numbers = await sentenceNumbers(spec, { engine, vocabulary: new WordVectors(), photographs: undefined });
        return html
          .replace('<!-- the first picture -->', firstArcs(numbers) + firstWords(numbers))
          .replace('</head>', () => `  ${firstPlaces(numbers)}\n  </head>`);
      },
    },
  };
}
