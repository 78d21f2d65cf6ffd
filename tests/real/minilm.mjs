// all-MiniLM-L6-v2 against what transformers computed in float32 (tests/golden-real).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../../scripts/root.mjs';
import { Differences } from './differences.mjs';

/** @typedef {{ shape: number[], data: ArrayLike<number> }} Numbers */
/** @typedef {{ hiddenStates: readonly Numbers[], attentions: readonly Numbers[] }} Output */
/** @typedef {(texts: readonly (readonly number[])[]) => Promise<Output[]>} Run */

/** How far two right answers may be apart: hidden states relative to 1 + |expected|, the others absolute. */
const TOLERANCES = { 'hidden states': 2e-5, embedding: 2e-6, attention: 2e-5 };
/** Means of attention over rows have its tolerance; an entropy has its logarithms too. */
const MEASURE = 2e-4;

const reference = JSON.parse(gunzipSync(readFileSync(join(root, 'tests/golden-real/minilm.json.gz'))).toString());

/** Mean of the states of all tokens, divided by its norm. @param {Numbers} states */
function embeddingOf({ shape: [tokens = 0, size = 0], data }) {
  const mean = Array.from({ length: size }, (_, channel) => {
    let sum = 0;
    for (let token = 0; token < tokens; token++) sum += data[token * size + channel] ?? Number.NaN;
    return sum / tokens;
  });
  const norm = Math.hypot(...mean);
  return mean.map((value) => value / norm);
}

/** Measures of one head, a (tokens, tokens), as tests/golden-real/README.md defines them. @param {ArrayLike<number>} a @param {number} n @returns {Record<string, number>} */
function measuresOf(a, n) {
  /** The sum over all weights, divided by the number of rows. @param {(row: number, column: number, weight: number) => number} of */
  const mean = (of, rows = n) => {
    let sum = 0;
    for (let row = 0; row < n; row++) for (let column = 0; column < n; column++) sum += of(row, column, a[row * n + column] ?? Number.NaN);
    return sum / rows;
  };
  /** The mean of some weights, one per row but the first or the last. @param {(row: number, column: number) => boolean} isOne */
  const share = (isOne) => mean((row, column, weight) => (isOne(row, column) ? weight : 0), n - 1);
  const entropy = mean((_row, _column, weight) => (weight > 0 ? -weight * Math.log(weight) : 0));
  return {
    entropy,
    entropy_normalised: entropy / Math.log(n),
    distance: mean((row, column, weight) => weight * Math.abs(row - column)),
    first: share((row, column) => row >= 1 && column === 0),
    last: share((row, column) => row <= n - 2 && column === n - 1),
    self: mean((row, column, weight) => (column === row ? weight : 0)),
    previous: share((row, column) => column === row - 1),
    next: share((row, column) => column === row + 1),
  };
}

/** @param {Run} run */
export async function compareMiniLM(run) {
  const found = new Differences();
  const outputs = await run(reference.cases.map((/** @type {{ ids: number[] }} */ { ids }) => ids));
  for (const [at, expected] of reference.cases.entries()) {
    const { hiddenStates, attentions } = /** @type {Output} */ (outputs[at]);
    const last = /** @type {Numbers} */ (hiddenStates.at(-1));
    const size = last.shape[1] ?? 0;
    /** @param {Numbers} states @param {number} token @param {number} from @param {number} to */
    const channels = ({ data }, token, from, to) => Array.from(data).slice(token * size + from, token * size + to);
    /** @param {ArrayLike<number>} got @param {number[]} values */
    const states = (got, values) => found.compare('hidden states', TOLERANCES['hidden states'], got, values, true);
    const { first8, last8, norm, full } = expected.hidden;
    for (let token = 0; token < expected.ids.length; token++) {
      states(channels(last, token, 0, 8), first8[token]);
      states(channels(last, token, size - 8, size), last8[token]);
      states([Math.hypot(...channels(last, token, 0, size))], [norm[token]]);
    }
    for (const [token, values] of Object.entries(full)) states(channels(last, Number(token), 0, size), /** @type {number[]} */ (values));
    for (const [layer, rows] of (expected.hidden_after_layer_first8?.data ?? []).entries())
      rows.forEach((/** @type {number[]} */ values, /** @type {number} */ token) => {
        states(channels(/** @type {Numbers} */ (hiddenStates[layer]), token, 0, 8), values);
      });
    found.compare('embedding', TOLERANCES.embedding, embeddingOf(last), expected.embedding);
    for (const [layer, { data }] of (expected.attentions ?? []).entries())
      found.compare('attention', TOLERANCES.attention, attentions[layer]?.data ?? [], data);
    if (!expected.heads) continue;
    const n = expected.ids.length;
    for (const [layer, { shape, data }] of attentions.entries()) {
      for (let head = 0; head < (shape[0] ?? 0); head++) {
        const measures = measuresOf(Array.from(data).slice(head * n * n, (head + 1) * n * n), n);
        for (const [name, value] of Object.entries(measures))
          found.compare('measures of heads', MEASURE, [value], [expected.heads[name][layer][head]]);
      }
    }
  }
  return found.rows();
}
