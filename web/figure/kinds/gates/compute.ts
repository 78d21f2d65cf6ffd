// Attention with forget gates set by the reader, and its reference, from the core.

import { entryAt } from '../../../charts/entry-at.ts';
import { extent, largestDifference } from '../../../charts/grid.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Engine } from '../../contract/kind.ts';
import { matrixOf } from '../../contract/tensor.ts';

/** The logarithm of a gate of 0, which must be finite: e to this power is 0 in float64 too. */
export const CLOSED = -10_000;
/** float32: a weight is at most 1, and its score a sum of rounded products. */
export const TOLERANCE = 1e-5;

export interface Heads {
  /** The vectors of one head, queries, keys and values alike: [words, dim]. */
  readonly x: Tensor;
  /** Gates by position, 0 to 1. */
  readonly gates: readonly number[];
}

/** The reference that the gates are compared with. */
export interface Compared {
  readonly as: 'gates' | 'alibi' | 'open' | 'cut' | 'steps' | 'rope' | 'squeezed' | 'unplaced' | 'skipped';
  readonly residual: number;
  readonly tolerance: number;
}

export interface Attended {
  /** [words, words] */
  readonly weights: Tensor;
  /**
   * [words, words], the combined gates between a key and a query: their term in the score, or with Selective RoPE their number of steps; 0
   * for keys after the query.
   */
  readonly between: Tensor;
  readonly compared: Compared;
}

const logarithms = (gates: readonly number[]): Float32Array => Float32Array.from(gates, (gate) => (gate === 0 ? CLOSED : Math.log(gate)));

/** The common gate of all words after the first; undefined if they differ. The gate of the first word has no effect. */
export function constantGate(gates: readonly number[]): number | undefined {
  const [, ...acting] = gates;
  return acting.length > 0 && acting.every((gate) => gate === acting[0]) ? acting[0] : undefined;
}

/** Tokens from an index on, as a head of attention: [1, words, dim]. */
function headFrom({ shape: [words = 0, width = 1], data }: Tensor, from: number) {
  const x = { shape: [1, words - from, width], data: data.subarray(from * width) };
  return { q: x, k: x, v: x, mask: 'causal' as const };
}

export async function attended({ x, gates }: Heads, engine: Engine): Promise<Attended> {
  const gatesFrom = (from: number) => ({
    encoding: 'forgetting' as const,
    tokenTensors: { log_gates: { shape: [1, gates.length - from], data: logarithms(gates.slice(from)) } },
  });
  const found = await engine.attention({ ...headFrom(x, 0), ...gatesFrom(0), outputs: ['weights', 'scores', 'bias'] });
  const [weights, scores, between] = [found.weights, found.scores, found.bias].map((one) => matrixOf(one, 0)) as [Tensor, Tensor, Tensor];

  const constant = constantGate(gates);
  const closed = gates.lastIndexOf(0);
  const among = (as: Compared['as'], other: ArrayLike<number>): Compared => ({
    as,
    residual: largestDifference(weights.data, other),
    tolerance: TOLERANCE,
  });
  const compare = async (): Promise<Compared> => {
    if (closed > 0) {
      const rest = await engine.attention({ ...headFrom(x, closed), ...gatesFrom(closed), outputs: ['weights'] });
      return among('cut', beginningAt(closed, weights, rest.weights));
    }
    if (constant !== undefined) {
      const slopes = { shape: [1], data: Float32Array.of(-Math.log(constant)) };
      const encoding = constant === 1 ? ('none' as const) : { id: 'alibi' as const, slopes };
      const other = await engine.attention({ ...headFrom(x, 0), encoding, outputs: ['weights'] });
      return among(constant === 1 ? 'open' : 'alibi', other.weights.data);
    }
    const plain = await engine.attention({ ...headFrom(x, 0), outputs: ['scores'] });
    const { min, max } = extent(scores.data);
    const largest = Math.max(1, Math.abs(min), Math.abs(max));
    return { as: 'gates', residual: distanceFromSums(scores, plain.scores, logarithms(gates)), tolerance: TOLERANCE * largest };
  };
  return { weights, between, compared: await compare() };
}

/** These weights with the rows from `first` on replaced by those of `rest`, which belong to the text without the preceding words. */
function beginningAt(first: number, { shape: [words = 0], data }: Tensor, rest: Tensor): Float32Array {
  const expected = data.slice();
  for (let row = first; row < words; row++) {
    expected.fill(0, row * words, row * words + first);
    const from = (row - first) * (words - first);
    expected.set(rest.data.subarray(from, from + words - first), row * words + first);
  }
  return expected;
}

/** The difference of scores from `plain` plus the sum of the log gates after the key, up to the query. */
function distanceFromSums({ shape: [words = 0], data }: Tensor, plain: Tensor, logGates: Float32Array): number {
  let largest = 0;
  for (let query = 0; query < words; query++) {
    let sum = 0;
    for (let key = query; key >= 0; key--) {
      const at = query * words + key;
      largest = Math.max(largest, Math.abs(entryAt(data, at) - entryAt(plain.data, at) - sum));
      sum += entryAt(logGates, key);
    }
  }
  return largest;
}
