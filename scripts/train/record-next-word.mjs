// Records the first guesses of the figure `next-word`: the best guess of each encoding with a button, for the words of its first picture in every
// order with the same last word.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runnerImport } from 'vite';
import { root } from '../root.mjs';
import { shippedEncodings } from '../site/shipped-encodings.mjs';
import { starterVectors } from '../site/starter-vectors.mjs';

/** The encodings with a button. */
const ENCODINGS = ['none', 'rope', 'alibi', 'learned'];

/** @import { KindContext } from '../../web/figure/contract/kind.ts' */
/** @import { Engines } from './engines.mjs' */

/**
 * @template Module
 * @param {string} name of a file in web/figure
 * @returns {Promise<Module>}
 */
async function load(name) {
  const { module } = await runnerImport(join(root, 'web/figure', name), {
    configFile: false,
    plugins: [shippedEncodings(), starterVectors()],
  });
  return /** @type {Module} */ (module);
}

/** @param {number[]} items @returns {number[][]} all permutations */
const ordersOf = (items) =>
  items.length < 2 ? [items] : items.flatMap((first) => ordersOf(items.filter((one) => one !== first)).map((rest) => [first, ...rest]));

/** @param {Engines} engines */
export async function recordNextWord({ createTrainer, phasor }) {
  /** @type {typeof import('../../web/figure/kinds/next-word/compute.ts')} */
  const { fields, computeNextWord } = await load('kinds/next-word/compute.ts');
  /** @type {typeof import('../../web/figure/contract/fields.ts')} */
  const { encodingSpec } = await load('contract/fields.ts');
  /** @type {typeof import('../../web/figure/runtime/shipped-models.ts')} */
  const { ShippedModels } = await load('runtime/shipped-models.ts');
  const models = new ShippedModels(
    pathToFileURL(join(root, 'public/models/index.json')),
    (spec) => createTrainer(spec, { variant: 'simd' }),
    async (address) => new Response(await readFile(address)),
  );
  const means = /** @type {KindContext} */ (/** @type {unknown} */ ({ engine: phasor, models: async () => models }));
  const text = fields.text.initial;
  const words = text.split(' ');
  /** @type {Record<string, [word: string, probability: number][]>} */
  const guesses = {};
  for (const order of ordersOf(words.map((_, word) => word).slice(0, -1))) {
    const placed = [...order, words.length - 1];
    /** @type {[string, number][]} */
    const best = [];
    for (const id of ENCODINGS) {
      const { guesses: found } = await computeNextWord({ text, order: placed, encoding: encodingSpec(id) }, means);
      const [first] = found;
      if (!first) throw new Error(`next-word: ${id} guesses nothing`);
      best.push([first.word, Number(first.probability.toFixed(4))]);
    }
    guesses[placed.map((word) => words[word]).join(' ')] = best;
  }
  return { command: 'npm run record -- next-word', encodings: ENCODINGS, guesses };
}
