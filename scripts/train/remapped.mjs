// Evaluates a trained model of the task `text` with RoPE at remapped distances (parameter `remap`). Trainers reject `remap`, because they do not
// compute products pair by pair. This module implements the model except attention, which the core computes. Without `remap`, its losses equal those
// of a trainer with the same weights on the same passages, which is checked before recording.

import { entryOf } from './entry-of.mjs';
import { readSafetensors } from './safetensors.mjs';

/** @import { ResolvedTrainConfig, Phasor } from '../../web/engine/index.ts' */
/** @import { DynamicId, Params } from '../../web/engine/types/encodings.ts' */

/** @typedef {Record<string, Float32Array>} Weights by name */

// Random numbers by purpose, item and seed, as in cpp/src/math/generator.h.
const MASK = (1n << 64n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;
/** @param {bigint} x */
function hash(x) {
  let z = (x + GOLDEN) & MASK;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}
/** The value of Purpose::evaluation. */
const EVALUATION = 2n;
/** @param {number} seed @param {number} item @param {number} size */
const below = (seed, item, size) => {
  const state = hash((hash((hash(BigInt(seed)) + EVALUATION) & MASK) + BigInt(item)) & MASK);
  return Number(((hash(state) >> 32n) * BigInt(size)) >> 32n);
};

/** The length of the longest passage (Corpus::kMaxContext). Every passage ends where the longest one would fit. */
const MOST_CONTEXT = 1025;
/** The number of last characters of a passage that are evaluated at every length. */
const EVALUATED = 32;

/** The last twentieth of a novel, as indices of its symbols (cpp/src/task_base/corpus.cpp). @param {string} corpus */
export function testTokens(corpus) {
  const text = [...corpus.replace(/^\ufeff/, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase())].join('').replace(/[ \t-\r]+/g, ' ');
  const symbols = [...text];
  const alphabet = [...new Set(symbols)].sort((a, b) => Number(a.codePointAt(0)) - Number(b.codePointAt(0)));
  const numbers = new Map(alphabet.map((symbol, at) => [symbol, at]));
  return symbols.slice(symbols.length - Math.floor(symbols.length / 20)).map((symbol) => Number(numbers.get(symbol)));
}

/**
 * A passage of an evaluation, with `length` + 1 tokens.
 * @param {readonly number[]} tokens
 * @param {number} seed
 * @param {number} item
 * @param {number} length
 */
function passage(tokens, seed, item, length) {
  const shortest = Math.min(tokens.length, MOST_CONTEXT);
  const end = shortest + below(seed, item, tokens.length - shortest + 1);
  return tokens.slice(end - length - 1, end);
}

/** The values of a safetensors file, by name. @param {Uint8Array} file @returns {Weights} */
export const tensorsOf = (file) => Object.fromEntries(Object.entries(readSafetensors(file)).map(([name, { data }]) => [name, data]));

/** @param {ArrayLike<number>} numbers @param {number} at */
const numberAt = (numbers, at) => numbers[at] ?? Number.NaN;

/**
 * x (rows, inner) times the transpose of w (outer, inner), plus a bias. Four sums are computed at a time.
 * @param {Float32Array} x
 * @param {Float32Array} w
 * @param {number} inner
 * @param {Float32Array} [bias]
 */
function linear(x, w, inner, bias) {
  const rows = x.length / inner;
  const outer = w.length / inner;
  const out = new Float32Array(rows * outer);
  for (let row = 0; row < rows; row += 1) {
    for (let to = 0; to < outer; to += 4) {
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let at = 0, from = row * inner, one = to * inner; at < inner; at += 1, from += 1, one += 1) {
        const value = x[from] ?? 0;
        a += value * (w[one] ?? 0);
        b += value * (w[one + inner] ?? 0);
        c += value * (w[one + 2 * inner] ?? 0);
        d += value * (w[one + 3 * inner] ?? 0);
      }
      // The last block may have fewer than four.
      const sums = [a, b, c, d];
      for (let more = 0; more < 4 && to + more < outer; more += 1)
        out[row * outer + to + more] = (sums[more] ?? 0) + (bias?.[to + more] ?? 0);
    }
  }
  return out;
}

/** @param {Float32Array} x @param {number} width @param {Float32Array} weight @param {Float32Array} bias */
function layerNorm(x, width, weight, bias) {
  const out = new Float32Array(x.length);
  for (let first = 0; first < x.length; first += width) {
    const row = x.subarray(first, first + width);
    const mean = row.reduce((sum, value) => sum + value, 0) / width;
    const squares = row.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const scale = 1 / Math.sqrt(squares / width + 1e-5);
    row.forEach((value, at) => {
      out[first + at] = (value - mean) * scale * numberAt(weight, at) + numberAt(bias, at);
    });
  }
  return out;
}

/** The error function: Abramowitz and Stegun 7.1.26, with an error of at most 1.5e-7. @param {number} x */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - sum * Math.exp(-x * x));
}
/** @param {number} x */
const gelu = (x) => 0.5 * x * (1 + erf(x * Math.SQRT1_2));

/** @param {Float32Array} x @param {Float32Array} y */
const add = (x, y) => x.map((value, at) => value + numberAt(y, at));
/** The last rows of a matrix. @param {Float32Array} x @param {number} width @param {number} rows */
const lastRows = (x, width, rows) => x.subarray(x.length - rows * width);

/**
 * A view of the first head in rows of `stride` columns: head h has the columns from `first` + h * size on. For all heads, replace `shape`.
 * @param {Float32Array} x
 * @param {number} stride
 * @param {number} first
 * @param {number} size
 */
const headsOf = (x, stride, first, size) => ({ shape: [1, x.length / stride, size], strides: [size, stride, 1], offset: first, data: x });

/**
 * Logits of the last tokens of a text: (requested, symbols).
 * @param {Phasor} phasor
 * @param {Weights} weights
 * @param {Pick<ResolvedTrainConfig, 'embedDim' | 'heads' | 'layers'>} spec
 * @param {readonly number[]} tokens
 * @param {{ readonly id: string } & Params} encoding
 * @param {number} requested
 */
function logits(phasor, weights, { embedDim: width, heads, layers }, tokens, { id, ...params }, requested) {
  const encoding = { ...params, id: /** @type {DynamicId} */ (id) };
  /** @param {string} name */
  const whole = (name) => entryOf(weights, name);
  const size = width / heads;
  const embedding = whole('embedding.weight');
  /** @type {Float32Array} */
  let x = new Float32Array(tokens.length * width);
  tokens.forEach((token, at) => {
    x.set(
      embedding.subarray(token * width, (token + 1) * width).map((value) => Math.sqrt(width) * value),
      at * width,
    );
  });
  for (let layer = 0; layer < layers; layer += 1) {
    /** @param {string} name */
    const of = (name) => whole(`layers.${layer}.${name}`);
    // Apart from keys and values, the last layer computes only the requested tokens.
    const rows = layer === layers - 1 ? requested : tokens.length;
    const qkv = linear(layerNorm(x, width, of('norm1.weight'), of('norm1.bias')), of('attention.in_proj_weight'), width);
    /** @param {number} part */
    const cut = (part) => ({ ...headsOf(qkv, 3 * width, part * width, size), shape: [heads, tokens.length, size] });
    const q = cut(0);
    const late = { ...q, shape: [heads, rows, size], offset: q.offset + (tokens.length - rows) * 3 * width };
    const { output } = phasor.attention({ q: late, k: cut(1), v: cut(2), encoding, mask: 'causal', outputLayout: 'token_major' });
    x = add(lastRows(x, width, rows), linear(output.data, of('attention.out_proj.weight'), width));
    const up = linear(
      layerNorm(x, width, of('norm2.weight'), of('norm2.bias')),
      of('feed_forward.up.weight'),
      width,
      of('feed_forward.up.bias'),
    );
    x = add(x, linear(up.map(gelu), of('feed_forward.down.weight'), up.length / rows, of('feed_forward.down.bias')));
  }
  return linear(layerNorm(x, width, whole('norm.weight'), whole('norm.bias')), whole('head.weight'), width, whole('head.bias'));
}

/**
 * Nats per character of the last 32 of `items` passages of this length.
 * @param {Phasor} phasor an engine of the package
 * @param {{ spec: ResolvedTrainConfig, weights: Weights, test: readonly number[] }} model the trainer's full spec, tensorsOf, testTokens
 * @param {{ readonly id: string } & Params} encoding
 * @param {number} length
 * @param {number} items
 */
export function remappedLoss(phasor, { spec, weights, test }, encoding, length, items) {
  const { norm, activation, tieWordEmbeddings, qkNorm, sinks } = spec;
  if (norm !== 'layer_norm' || activation !== 'gelu' || tieWordEmbeddings || qkNorm || sinks)
    throw new Error('another model than that of E2b is not read here');
  const request = Math.min(EVALUATED, length);
  let sum = 0;
  for (let item = 0; item < items; item += 1) {
    const tokens = passage(test, spec.seed, item, length);
    const out = logits(phasor, weights, spec, tokens.slice(0, length), encoding, request);
    const symbols = out.length / request;
    for (let row = 0; row < request; row += 1) {
      const own = out.subarray(row * symbols, (row + 1) * symbols);
      const most = own.reduce((a, b) => Math.max(a, b));
      const total = own.reduce((all, value) => all + Math.exp(value - most), 0);
      sum += most + Math.log(total) - numberAt(own, numberAt(tokens, length - request + row + 1));
    }
  }
  return sum / (items * request);
}
