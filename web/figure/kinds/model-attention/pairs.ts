// Computes each rotary pair's contribution to the scores of one head, and compares the weights with the softmax of recomputed scores.

import { rotationMatrix } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { QueryKeyStates } from '../../../engine/types/model-runs.ts';
import type { ConfigLayer } from '../../../engine/types/models.ts';
import { detectPairing, pairChannels } from '../../compute/rotation.ts';
import type { Engine } from '../../contract/context.ts';

export interface RotaryPairs {
  readonly channels: readonly (readonly [number, number])[];
  /** [pairs]: tokens per rotation; Infinity for a pair that does not rotate. */
  readonly wavelengths: readonly number[];
}

/** Returns undefined if the layer has no rotary encoding or the paired channels cannot be determined. */
export async function findRotaryPairs({ encoding }: ConfigLayer, dim: number, engine: Engine): Promise<RotaryPairs | undefined> {
  if (!encoding || !engine.encodings.find(({ id }) => id === encoding.id)?.rotates) return undefined;
  const { shape, data } = await engine.rotaryAngles({ encoding, positions: [1], dim });
  const pairs = shape.at(-1) as number;
  const pairing = detectPairing(await rotationMatrix(engine, { encoding, position: 1, dim }), dim, pairs);
  if (!pairing) return undefined;
  return { channels: pairChannels(pairing, pairs), wavelengths: Array.from(data, (angle) => (2 * Math.PI) / Math.abs(angle)) };
}

export interface PairScores {
  /**
   * [pairs]: the mean of the pair's term in the scores, weighted by attention, minus its unweighted mean over visible
   * keys; averaged over queries.
   */
  readonly lift: Float32Array;
  readonly unrotatedLift: number;
  /** [tokens, channels], rotated. */
  readonly queries: Tensor;
  readonly keys: Tensor;
  /** The largest difference between a weight and the softmax of the recomputed scores. */
  readonly residual: number;
}

interface PairScoresOptions {
  readonly states: Pick<QueryKeyStates, 'rotatedQueries' | 'rotatedKeys'>;
  readonly head: number;
  readonly rotations: RotaryPairs;
  readonly weights: Tensor;
  readonly scale: number;
  readonly causal: boolean;
  /** Keys at this distance or farther are masked. */
  readonly window: number | undefined;
}

function selectHead({ shape: [, tokens = 0, dim = 0], data }: Tensor, head: number) {
  const headStart = head * tokens * dim;
  const rows: Tensor = { shape: [tokens, dim], data: data.slice(headStart, headStart + tokens * dim) };
  return { tokens, dim, rows, row: (token: number) => rows.data.subarray(token * dim, (token + 1) * dim) };
}

export function computePairScores({ states, head, rotations, weights, scale, causal, window }: PairScoresOptions): PairScores {
  const { rotatedQueries, rotatedKeys } = states;
  const headsPerKey = (rotatedQueries.shape[0] as number) / (rotatedKeys.shape[0] as number);
  const [q, k] = [selectHead(rotatedQueries, head), selectHead(rotatedKeys, Math.floor(head / headsPerKey))];
  const { tokens, dim } = q;
  const { channels } = rotations;
  const maxDistance = window ?? tokens;
  // A pair's contribution is the sum over its two channels.
  const channelLifts = new Float64Array(dim);
  let residual = 0;
  for (let query = 0; query < tokens; query += 1) {
    const [begin, end] = [Math.max(0, query - maxDistance + 1), causal ? query + 1 : Math.min(tokens, query + maxDistance)];
    const queryRow = q.row(query);
    const scores = new Float64Array(end - begin);
    for (let key = begin; key < end; key += 1) {
      const keyRow = k.row(key);
      const excessWeight = (weights.data[query * tokens + key] as number) - 1 / (end - begin);
      for (let channel = 0; channel < dim; channel += 1) {
        const product = (queryRow[channel] as number) * (keyRow[channel] as number) * scale;
        scores[key - begin] = (scores[key - begin] as number) + product;
        channelLifts[channel] = (channelLifts[channel] as number) + (excessWeight * product) / tokens;
      }
    }
    const maxScore = scores.reduce((largest, score) => Math.max(largest, score), Number.NEGATIVE_INFINITY);
    const sum = scores.reduce((total, score) => total + Math.exp(score - maxScore), 0);
    scores.forEach((score, index) => {
      const weight = weights.data[query * tokens + begin + index] as number;
      residual = Math.max(residual, Math.abs(Math.exp(score - maxScore) / sum - weight));
    });
  }
  const lift = Float32Array.from(channels, ([a, b]) => (channelLifts[a] as number) + (channelLifts[b] as number));
  const rotatedChannels = new Set(channels.flat());
  const unrotatedSum = channelLifts.reduce((sum, channelLift, channel) => (rotatedChannels.has(channel) ? sum : sum + channelLift), 0);
  return { lift, unrotatedLift: unrotatedSum, queries: q.rows, keys: k.rows, residual };
}
