// Generates example attention scores and weights that differ from the claimed ones.
import type { DiagnoseRequest } from '../../../engine/doctor/requests.ts';
import type { ScoreClaim } from '../../../engine/doctor/scores.ts';
import type { AttentionRequest, Tensor } from '../../../engine/index.ts';
import { encodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';

/** Six heads, because ALiBi's slopes for six heads are not a geometric series. */
const [HEADS, KEYS, DIM] = [6, 24, 16];
const DEFAULT_SCALE = 1 / Math.sqrt(DIM);
const SEED = 54;
const SECOND_TEXT_START = 10;
const SEGMENTS = Array.from({ length: KEYS }, (_, key) => Number(key >= SECOND_TEXT_START));

type AttentionOptions = Partial<AttentionRequest>;

interface ScoreExample {
  readonly claim?: ScoreClaim;
  readonly port?: AttentionOptions;
  /** Computes the term that the port adds to its scores, from the claimed encoding's bias. */
  readonly computeAddedTerm?: (computeBias: (isMirrored?: boolean) => Promise<Tensor>) => Promise<Tensor>;
  readonly queries?: number;
  /** Factor by which queries are multiplied to obtain large scores. */
  readonly queryFactor?: number;
  /** For dumped weights: the sinks passed to `diagnose`, and the sinks that the port used. */
  readonly sinks?: { readonly claimed?: readonly number[]; readonly port?: readonly number[] };
}

const multiply = ({ shape, data }: Tensor, factor: number): Tensor => ({ shape, data: data.map((value) => factor * value) });
const toAttentionOptions = ({ causal, window, segments, scale, softcap, encoding }: ScoreClaim): AttentionOptions => ({
  mask: causal ? 'causal' : 'none',
  ...(window === undefined ? {} : { window }),
  ...(segments ? { querySegmentIds: segments, keySegmentIds: segments } : {}),
  ...(softcap === undefined ? {} : { softcap }),
  ...(encoding ? { encoding } : {}),
  scale: scale ?? DEFAULT_SCALE,
});
/** Creates a mask [queries, keys] that is 1 where `isVisible` returns true. */
const createMask = (queries: number, isVisible: (query: number, key: number) => boolean) => ({
  shape: [queries, KEYS],
  data: Uint8Array.from({ length: queries * KEYS }, (_, index) => Number(isVisible(Math.floor(index / KEYS), index % KEYS))),
});

export async function createScoreDump(example: ScoreExample, engine: Engine): Promise<DiagnoseRequest> {
  const { claim: exampleClaim = {}, port = {}, computeAddedTerm, queries = KEYS, queryFactor = 1, sinks } = example;
  const claim: ScoreClaim = { causal: true, ...exampleClaim };
  const q = multiply(await engine.randomNormal({ seed: SEED, shape: [HEADS, queries, DIM] }), queryFactor);
  const k = await engine.randomNormal({ seed: SEED + 1, shape: [HEADS, KEYS, DIM] });
  const firstQuery = KEYS - queries;
  const computeBias = (isMirrored = false) =>
    engine.attentionBias({
      encoding: claim.encoding as NonNullable<ScoreClaim['encoding']>,
      heads: HEADS,
      queryPositions: Array.from({ length: queries }, (_, query) => (isMirrored ? -1 : 1) * (firstQuery + query)),
      keyPositions: Array.from({ length: KEYS }, (_, key) => (isMirrored ? -key : key)),
    });
  const attnBias = computeAddedTerm ? { attnBias: await computeAddedTerm(computeBias), encoding: 'none' as const } : {};
  const sinkOptions = sinks?.port ? { sinks: sinks.port } : {};
  const request = { q, k, v: k, ...toAttentionOptions(claim), ...port, ...attnBias, ...sinkOptions };
  const { scores, weights } = await engine.attention({ ...request, outputs: ['scores', 'weights'] });
  const { scores: products } = await engine.attention({ q, k, v: k, scale: 1, outputs: ['scores'] });
  if (!sinks) return { products, scores, dim: DIM, claim };
  const sinkArgument = sinks.claimed && { sinks: { shape: [HEADS], data: Float32Array.from(sinks.claimed) } };
  return { products, weights, ...sinkArgument, dim: DIM, claim };
}

const ALIBI_ENCODING = encodingSpec('alibi');
const SINKS = [1, 0.5, 0, -0.5, 2, 1.5];
/** [buckets, heads] */
const BIAS_TABLE = { shape: [16, HEADS], data: Float32Array.from({ length: 16 * HEADS }, (_, index) => Math.sin(1 + index * index)) };
const T5_ENCODING = encodingSpec('t5', { num_buckets: 16, max_distance: 32, bidirectional: true, table: BIAS_TABLE });
const GEOMETRIC_SLOPES = { shape: [HEADS], data: Float32Array.from({ length: HEADS }, (_, head) => 2 ** ((-8 * (head + 1)) / HEADS)) };

export const SCORES = {
  alibi_slopes: { claim: { encoding: ALIBI_ENCODING }, port: { encoding: encodingSpec('alibi', { slopes: GEOMETRIC_SLOPES }) } },
  alibi_sign: { claim: { encoding: ALIBI_ENCODING }, computeAddedTerm: async (computeBias) => multiply(await computeBias(), -1) },
  alibi_row_shifted: {
    claim: { encoding: ALIBI_ENCODING },
    computeAddedTerm: async (computeBias) => {
      const { shape, data } = await computeBias();
      return { shape, data: data.map((value, index) => value - (data[index - (index % KEYS)] as number)) };
    },
  },
  bias_missing: { claim: { encoding: ALIBI_ENCODING }, port: { encoding: 'none' } },
  bias_scaled: {
    claim: { encoding: ALIBI_ENCODING },
    computeAddedTerm: async (computeBias) => multiply(await computeBias(), DEFAULT_SCALE),
  },
  t5_bidirectional: {
    claim: { causal: false, scale: 1, encoding: T5_ENCODING },
    port: { encoding: { ...T5_ENCODING, bidirectional: false } },
  },
  t5_direction: { claim: { causal: false, scale: 1, encoding: T5_ENCODING }, computeAddedTerm: (computeBias) => computeBias(true) },
  t5_max_distance: { claim: { causal: false, scale: 1, encoding: T5_ENCODING }, port: { encoding: { ...T5_ENCODING, max_distance: 16 } } },
  scale_missing: { port: { scale: 1 } },
  scale_twice: { port: { scale: DEFAULT_SCALE * DEFAULT_SCALE } },
  wrong_scale: { port: { scale: 0.2 } },
  softcap_missing: { claim: { softcap: 20 }, port: { softcap: undefined }, queryFactor: 8 },
  wrong_softcap: { claim: { softcap: 20 }, port: { softcap: 30 }, queryFactor: 8 },
  sinks_missing: { sinks: { claimed: SINKS } },
  wrong_sinks: { sinks: { claimed: SINKS, port: [...SINKS].reverse() } },
  sinks_unclaimed: { sinks: { port: SINKS } },
  window_off_by_one: { claim: { window: 8 }, port: { window: 9 } },
  window_missing: { claim: { window: 8 }, port: { window: undefined } },
  wrong_window: { claim: { window: 8 }, port: { window: 14 } },
  causal_shifted: { port: { mask: 'none', attnMask: createMask(KEYS, (query, key) => key <= query + 1) } },
  causal_missing: { port: { mask: 'none' } },
  mask_aligned_top_left: { queries: 12, port: { mask: 'none', attnMask: createMask(12, (query, key) => key <= query) } },
  packed_texts_mixed: { claim: { segments: SEGMENTS }, port: { querySegmentIds: undefined, keySegmentIds: undefined } },
} as const satisfies { readonly [fault: string]: ScoreExample };
