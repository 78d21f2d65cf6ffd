// The contract of a pool beyond that of every engine: results are bitwise equal to a single worker's, and calls can be cancelled.
// It does not depend on a test runner, like engine.contract.ts. Every request is large enough to be split.

import { splitQueries } from '../../web/engine/pool/query-ranges.ts';
import type { AttentionRequest, AttentionResult, PhasorPool, RemotePhasor, Tensor } from '../../web/engine/types/api.ts';

export interface PoolCase {
  readonly name: string;
  readonly run: (pool: PhasorPool, one: RemotePhasor) => Promise<void>;
}

type Shapes = { heads?: number; kvHeads?: number; queries?: number; keys?: number; width?: number; valueWidth?: number };

async function tensors(one: RemotePhasor, shapes: Shapes): Promise<{ q: Tensor; k: Tensor; v: Tensor }> {
  const { heads = 6, queries = 403, keys = queries, width = 20, valueWidth = 20, kvHeads = heads } = shapes;
  const [q, k, v] = await Promise.all([
    one.randomNormal({ seed: 1, shape: [heads, queries, width] }),
    one.randomNormal({ seed: 2, shape: [kvHeads, keys, width] }),
    one.randomNormal({ seed: 3, shape: [kvHeads, keys, valueWidth] }),
  ]);
  return { q, k, v };
}

function difference(name: string, got: Tensor | undefined, expected: Tensor): string | undefined {
  if (got?.shape.join() !== expected.shape.join()) return `${name}: the shape is ${got?.shape.join()}, not ${expected.shape.join()}`;
  const at = expected.data.findIndex((value, i) => !Object.is(value, got.data[i]));
  return at < 0 ? undefined : `${name}[${at}]: ${got.data[at]} instead of ${expected.data[at]}`;
}

function flat({ pooledWeights, ...tensors }: AttentionResult): Record<string, Tensor> {
  const all = { ...tensors, ...(pooledWeights ? { 'pooling.mean': pooledWeights.mean, 'pooling.max': pooledWeights.max } : {}) };
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Checks that both engines return bitwise equal results. */
async function same(pool: PhasorPool, one: RemotePhasor, shapes: Shapes, options: Partial<AttentionRequest>): Promise<void> {
  const request = { ...(await tensors(one, shapes)), ...options };
  if (splitQueries(request, 2).length < 2) throw new Error('the request is not split');
  const [got, expected] = await Promise.all([pool.attention(request), one.attention(request)]);
  const [numbers, requested] = [flat(got), flat(expected)];
  if (Object.keys(numbers).join() !== Object.keys(requested).join()) throw new Error(`it answers ${Object.keys(numbers).join()}`);
  for (const [name, tensor] of Object.entries(requested)) {
    const words = difference(name, numbers[name], tensor);
    if (words) throw new Error(words);
  }
  if ((request.q as Tensor).data.length === 0) throw new Error('the request was taken from its caller');
}

const everyThird = Array.from({ length: 403 }, (_, key) => (key % 3 === 0 ? 0 : 1));

const packed = Array.from({ length: 403 }, (_, token) => (token < 170 ? token : token - 170));
const segments = Array.from({ length: 403 }, (_, token) => (token < 170 ? 0 : 1));
const turns = Array.from({ length: 403 }, (_, token) => token % 3);
const rotated = Array.from({ length: 403 }, (_, token) => (token * 17) % 403);

const results: [string, Shapes, Partial<AttentionRequest>][] = [
  ['without positions', {}, {}],
  ['causal', {}, { mask: 'causal' }],
  ['with a window', { queries: 2011 }, { window: 101 }],
  ['causal with a window', { queries: 2011 }, { mask: 'causal', window: 301 }],
  ['with masked keys', {}, { keyMask: everyThird }],
  ['with grouped heads', { kvHeads: 2 }, { mask: 'causal' }],
  ['with more keys than queries', { queries: 301, keys: 907 }, { mask: 'causal' }],
  ['with a position offset', {}, { mask: 'causal', positionOffset: 17, encoding: 'alibi' }],
  [
    'with packed texts',
    { heads: 8, width: 40 },
    { mask: 'causal', encoding: 'alibi', querySegmentIds: segments, keySegmentIds: new Int32Array(segments) },
  ],
  [
    'with positions of packed texts',
    { heads: 8, width: 40 },
    { mask: 'causal', encoding: 'rope', queryPositions: packed, keyPositions: packed, querySegmentIds: segments, keySegmentIds: segments },
  ],
  [
    'with interleaved packed texts',
    { heads: 8, width: 40 },
    {
      window: 60,
      mask: 'causal',
      encoding: 't5',
      querySegmentIds: turns,
      keySegmentIds: { shape: [403], data: turns },
      outputs: ['weights', 'pooledWeights'],
    },
  ],
  [
    'with permuted positions',
    { heads: 8, width: 40 },
    {
      mask: 'causal',
      window: 350,
      encoding: 'rope',
      queryPositions: new Int32Array(rotated),
      keyPositions: { shape: [403], data: rotated.toReversed() },
    },
  ],
  [
    'with a mask of query-key pairs',
    { heads: 8, width: 40 },
    {
      attnMask: { shape: [403, 403], data: Uint8Array.from({ length: 403 * 403 }, (_, i) => (i % 403 <= i / 403 || i % 403 < 50 ? 1 : 0)) },
    },
  ],
  [
    'with a bias per head and a mask of keys',
    { heads: 8, width: 40 },
    {
      attnBias: { shape: [8, 403, 403], data: Float32Array.from({ length: 8 * 403 * 403 }, (_, i) => (i % 97) / 50) },
      attnMask: { shape: [1, 403], data: everyThird as (0 | 1)[] },
      outputs: ['weights', 'bias'],
    },
  ],
  ['with every output', {}, { outputs: ['weights', 'scores', 'bias'], encoding: 'alibi', mask: 'causal' }],
  ['with pooled weights', {}, { outputs: ['pooledWeights'], mask: 'causal' }],
  [
    'with pooled weights of a region',
    {},
    { outputs: ['pooledWeights', 'weights'], pooling: { rows: [37, 301], columns: [5, 250], cellSize: [7, 9] } },
  ],
  ['with pooled weights of the first rows', {}, { outputs: ['pooledWeights'], pooling: { rows: [0, 20], size: 30 } }],
  ['with pooled weights in a single cell', {}, { outputs: ['pooledWeights'], pooling: { rows: [190, 370], size: 1 } }],
  ['with token-major output', { kvHeads: 2 }, { outputLayout: 'token_major', outputs: ['weights'] }],
  ['with values of another width', { valueWidth: 7 }, { scale: 0.3 }],
  ['with alibi', {}, { encoding: 'alibi' }],
  ['with t5', {}, { encoding: { id: 't5', seed: 4 } }],
  ['with rope', {}, { encoding: { id: 'rope', layout: 'half_split' }, mask: 'causal' }],
  ['with sinks', {}, { mask: 'causal', sinks: [0, 1, -1, 2, -Infinity, 3], outputs: ['sinkWeights'] }],
  ['with sinks and weights', {}, { sinks: [0, 1, -1, 2, -Infinity, 3], outputs: ['weights', 'sinkWeights'] }],
  ['with a soft cap', {}, { mask: 'causal', softcap: 2, encoding: 'alibi', capIncludesBias: true }],
  ['with normalised queries and keys', { kvHeads: 2 }, { qkNorm: { over: 'all_heads' }, encoding: 'rope' }],
  [
    'with sink tokens',
    { queries: 1203 },
    { mask: 'causal', window: 301, sinkTokens: 5, sinkPositions: 'cache', encoding: { id: 'rope', layout: 'half_split' } },
  ],
  [
    'with sink tokens and a bias',
    { queries: 1203 },
    { mask: 'causal', window: 301, sinkTokens: 5, sinkPositions: 'cache', encoding: 'alibi' },
  ],
  ['with shaw', {}, { encoding: { id: 'shaw', seed: 5 } }],
  ['with cope', {}, { encoding: { id: 'cope', seed: 6 }, mask: 'causal', keyMask: everyThird }],
];

/** The code of the PhasorError a promise is rejected with. */
async function code(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'none';
}

function expect(got: unknown, expected: unknown, label: string): void {
  if (got !== expected) throw new Error(`${label}: ${String(got)} instead of ${String(expected)}`);
}

const others: [string, PoolCase['run']][] = [
  [
    'reports the index of an invalid value in the whole request',
    async (pool, one) => {
      const { q, k, v } = await tensors(one, {});
      const data = q.data.slice();
      data[q.data.length - 1] = Number.NaN;
      const message = await pool.attention({ q: { ...q, data }, k, v }).catch((error: Error) => error.message);
      expect(message, `q[${q.data.length - 1}]: NaN is not a finite number`, 'the sentence');
    },
  ],
  [
    'writes results of split calls into the arrays of the caller, all or none',
    async (pool, one) => {
      const request = { ...(await tensors(one, {})), outputs: ['weights'] as const };
      const wanted = await one.attention(request);
      const [output, weights] = [wanted.output, wanted.weights].map(({ data }) => new Float32Array(data.length).fill(7)) as [
        Float32Array,
        Float32Array,
      ];
      const small = new Float32Array(weights.length - 1);
      const refusal = await pool.attention({ ...request, out: { output, weights: small } }).catch((error: Error) => error.message);
      expect(refusal, `out.weights: has ${small.length} values; expected ${weights.length} (6 x 403 x 403)`, 'the sentence');
      expect(output.every((number) => number === 7) && small.every((number) => number === 0), true, 'nothing is written');
      const actual = await pool.attention({ ...request, out: { output, weights } });
      expect(actual.output.data === output && actual.weights.data === weights, true, 'the arrays are those of the caller');
      for (const name of ['output', 'weights'] as const) expect(difference(name, actual[name], wanted[name]), undefined, name);
      const gone = pool.attention({ ...request, out: { output } });
      structuredClone(output, { transfer: [output.buffer as ArrayBuffer] });
      expect(await gone.catch((error: Error) => error.message), 'out.output: has a detached or resized buffer', 'a later transfer');
    },
  ],
  [
    'cancels pending calls and keeps working',
    async (pool, one) => {
      const request = await tensors(one, { heads: 8, queries: 4096, width: 64, valueWidth: 64 });
      const controller = new AbortController();
      const cancelled = code(pool.attention(request, { signal: controller.signal }));
      const waiting = pool.randomNormal({ seed: 1, shape: [3] }); // queued in the same worker
      setTimeout(() => controller.abort(), 30);
      expect(await cancelled, 'cancelled', 'the code');
      expect((await waiting).data.length, 3, 'a call that waited');
      expect(await code(pool.attention(request, { signal: controller.signal })), 'cancelled', 'a signal that was given before');
      expect(await code(pool.attention(request, { signal: 1 as never })), 'invalid_argument', 'what is no signal');
      await same(pool, one, {}, { mask: 'causal', encoding: 'rope' });
    },
  ],
  [
    'cancels calls of one worker independently',
    async (_, one) => {
      const controller = new AbortController();
      const big = { seed: 1, shape: [3000, 1000] };
      const running = code(one.randomNormal(big));
      const waiting = code(one.randomNormal(big, { signal: controller.signal }));
      const last = one.randomNormal({ seed: 1, shape: [3] }, { signal: new AbortController().signal });
      controller.abort();
      expect(await waiting, 'cancelled', 'the call that waited');
      expect(await running, 'none', 'the call before it');
      expect((await last).data.length, 3, 'the call behind it');
      const other = new AbortController();
      const stopped = code(one.randomNormal(big, { signal: other.signal }));
      setTimeout(() => other.abort(), 5);
      expect(await stopped, 'cancelled', 'the call under way');
      expect((await one.randomNormal({ seed: 1, shape: [2] }, {})).data.length, 2, 'the call after it');
    },
  ],
];

export const poolContract: readonly PoolCase[] = [
  ...results.map(([name, shapes, options]) => ({
    name: `returns the results of a single worker: ${name}`,
    run: (pool: PhasorPool, one: RemotePhasor) => same(pool, one, shapes, options),
  })),
  ...others.map(([name, run]) => ({ name, run })),
];
