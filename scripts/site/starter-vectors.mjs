// The word vectors of the example sentences, extracted from public/data at build time, for the first picture and for offline pages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'virtual:starter-vectors';
const DATA = join(import.meta.dirname, '../../public/data');
const EXAMPLES = join(import.meta.dirname, '../../web/lab/state/examples.json');

/**
 * The selected words: those of the first `count` example sentences (default: all), those of `texts`, and the `frequent` most frequent words.
 * @typedef {{ count?: number, texts?: string[], frequent?: number }} Wanted
 */

/** The vectors of the selected words; `rows` is base64 of int8 values, `width` for each word. @param {Wanted} wanted */
function starter({ count, texts = [], frequent = 0 }) {
  /** @type {{ dims: number, words: string[], scale: number[] }} */
  const index = JSON.parse(readFileSync(join(DATA, 'word-vectors.json'), 'utf8'));
  const rows = new Int8Array(readFileSync(join(DATA, 'word-vectors-64.i8')));
  const width = index.dims;
  /** @param {number} at */
  const row = (at) => rows.subarray(at * width, (at + 1) * width);
  const norms = index.scale.map((scale, at) => scale * Math.hypot(...row(at)));
  /** @type {{ text: string }[]} */
  const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8'));
  const sentences = examples.slice(0, count).map(({ text }) => text);
  /** @param {string[]} some */
  const wordsOf = (some) => some.flatMap((text) => text.toLowerCase().match(/[a-z]+|[^\sa-z]/g) ?? []);
  for (const word of wordsOf(sentences))
    if (!index.words.includes(word)) throw new Error(`web/lab/state/examples.json: "${word}" has no word vector`);
  // The words of the index are sorted by frequency, with the most frequent first.
  const known = wordsOf(texts).filter((word) => index.words.includes(word));
  const requested = [...new Set([...wordsOf(sentences), ...known, ...index.words.slice(0, frequent)])];
  const positions = requested.map((word) => index.words.indexOf(word));
  return {
    width,
    meanNorm: Number((norms.reduce((sum, norm) => sum + norm, 0) / norms.length).toFixed(3)),
    words: requested,
    scale: positions.map((at) => index.scale[at]),
    rows: Buffer.concat(positions.map((at) => Buffer.from(row(at)))).toString('base64'),
  };
}

/** @param {Wanted} [expected] @returns {import('vite').Plugin} serves the module `virtual:starter-vectors` */
export function starterVectors(expected = {}) {
  return {
    name: 'phasor-starter-vectors',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(starter(expected))};` : undefined),
  };
}
