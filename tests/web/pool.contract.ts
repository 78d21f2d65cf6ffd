// The contract of a pool beyond that of every engine: results are bitwise equal to a single worker's, and calls can be cancelled.
// It does not depend on a test runner, like engine.contract.ts. Every request is large enough to be split.

import { splitQueries } from '../../web/engine/pool/query-ranges.ts';
import type { AttentionRequest, AttentionResult, PhasorPool, RemotePhasor, Tensor } from '../../web/engine/types/api.ts';

export interface PoolCase {
  readonly name: string;
  readonly run: (pool: PhasorPool, phasor: RemotePhasor) => Promise<void>;
}

type Shapes = { heads?: number; kvHeads?: number; queries?: number; keys?: number; width?: number; valueWidth?: number };

async function createTensors(phasor: RemotePhasor, shapes: Shapes): Promise<{ q: Tensor; k: Tensor; v: Tensor }> {
  const { heads = 6, queries = 403, keys = queries, width = 20, valueWidth = 20, kvHeads = heads } = shapes;
  const [q, k, v] = await Promise.all([
    phasor.randomNormal({ seed: 1, shape: [heads, queries, width] }),
    phasor.randomNormal({ seed: 2, shape: [kvHeads, keys, width] }),
    phasor.randomNormal({ seed: 3, shape: [kvHeads, keys, valueWidth] }),
  ]);
  return { q, k, v };
}

function difference(name: string, actual: Tensor | undefined, expected: Tensor): string | undefined {
  if (actual?.shape.join() !== expected.shape.join()) return `${name}: the shape is ${actual?.shape.join()}, not ${expected.shape.join()}`;
  const index = expected.data.findIndex((value, i) => !Object.is(value, actual.data[i]));
  return index < 0 ? undefined : `${name}[${index}]: ${actual.data[index]} instead of ${expected.data[index]}`;
}

function flat({ pooledWeights, ...createTensors }: AttentionResult): Record<string, Tensor> {
  const allTensors = {
    ...createTensors,
    ...(pooledWeights ? { 'pooling.mean': pooledWeights.mean, 'pooling.max': pooledWeights.max } : {}),
  };
  return Object.fromEntries(Object.entries(allTensors).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Checks that both engines return bitwise equal results. */
async function compareAttention(pool: PhasorPool, phasor: RemotePhasor, shapes: Shapes, options: Partial<AttentionRequest>): Promise<void> {
  const request = { ...(await createTensors(phasor, shapes)), ...options };
  if (splitQueries(request, 2).length < 2) throw new Error('the request is not split');
  const [actual, expected] = await Promise.all([pool.attention(request), phasor.attention(request)]);
  const [actualTensors, expectedTensors] = [flat(actual), flat(expected)];
  if (Object.keys(actualTensors).join() !== Object.keys(expectedTensors).join())
    throw new Error(`it answers ${Object.keys(actualTensors).join()}`);
  for (const [name, tensor] of Object.entries(expectedTensors)) {
    const words = difference(name, actualTensors[name], tensor);
    if (words) throw new Error(words);
  }
  if ((request.q as Tensor).data.length === 0) throw new Error('the request was taken from its caller');
}

const thirdKeysMasked = Array.from({ length: 403 }, (_, key) => (key % 3 === 0 ? 0 : 1));

const packed = Array.from({ length: 403 }, (_, token) => (token < 170 ? token : token - 170));
const segments = Array.from({ length: 403 }, (_, token) => (token < 170 ? 0 : 1));
const alternatingIds = Array.from({ length: 403 }, (_, token) => token % 3);
const rotated = Array.from({ length: 403 }, (_, token) => (token * 17) % 403);

const results: [string, Shapes, Partial<AttentionRequest>][] = [
  ['without positions', {}, {}],
  ['causal', {}, { mask: 'causal' }],
  ['with a window', { queries: 2011 }, { window: 101 }],
  ['causal with a window', { queries: 2011 }, { mask: 'causal', window: 301 }],
  ['with masked keys', {}, { keyMask: thirdKeysMasked }],
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
      querySegmentIds: alternatingIds,
      keySegmentIds: { shape: [403], data: alternatingIds },
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
      attnMask: { shape: [1, 403], data: thirdKeysMasked as (0 | 1)[] },
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
  ['with cope', {}, { encoding: { id: 'cope', seed: 6 }, mask: 'causal', keyMask: thirdKeysMasked }],
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

function expect(actual: unknown, expected: unknown, label: string): void {
  if (actual !== expected) throw new Error(`${label}: ${String(actual)} instead of ${String(expected)}`);
}

const otherCases: [string, PoolCase['run']][] = [
  [
    'reports the index of an invalid value in the whole request',
    async (pool, phasor) => {
      const { q, k, v } = await createTensors(phasor, {});
      const data = q.data.slice();
      data[q.data.length - 1] = Number.NaN;
      const message = await pool.attention({ q: { ...q, data }, k, v }).catch((error: Error) => error.message);
      expect(message, `q[${q.data.length - 1}]: NaN is not a finite number`, 'the sentence');
    },
  ],
  [
    'writes results of split calls into the arrays of the caller, all or none',
    async (pool, phasor) => {
      const request = { ...(await createTensors(phasor, {})), outputs: ['weights'] as const };
      const expected = await phasor.attention(request);
      const [output, weights] = [expected.output, expected.weights].map(({ data }) => new Float32Array(data.length).fill(7)) as [
        Float32Array,
        Float32Array,
      ];
      const shortBuffer = new Float32Array(weights.length - 1);
      const refusal = await pool.attention({ ...request, out: { output, weights: shortBuffer } }).catch((error: Error) => error.message);
      expect(refusal, `out.weights: has ${shortBuffer.length} values; expected ${weights.length} (6 x 403 x 403)`, 'the sentence');
      expect(output.every((number) => number === 7) && shortBuffer.every((number) => number === 0), true, 'nothing is written');
      const actual = await pool.attention({ ...request, out: { output, weights } });
      expect(actual.output.data === output && actual.weights.data === weights, true, 'the arrays are those of the caller');
      for (const name of ['output', 'weights'] as const) expect(difference(name, actual[name], expected[name]), undefined, name);
      const detachedCall = pool.attention({ ...request, out: { output } });
      structuredClone(output, { transfer: [output.buffer as ArrayBuffer] });
      expect(await detachedCall.catch((error: Error) => error.message), 'out.output: has a detached or resized buffer', 'a later transfer');
    },
  ],
  [
    'cancels pending calls and keeps working',
    async (pool, phasor) => {
      const request = await createTensors(phasor, { heads: 8, queries: 4096, width: 64, valueWidth: 64 });
      const controller = new AbortController();
      const cancelled = code(pool.attention(request, { signal: controller.signal }));
      const queuedCall = pool.randomNormal({ seed: 1, shape: [3] }); // queued in the same worker
      setTimeout(() => controller.abort(), 30);
      expect(await cancelled, 'cancelled', 'the code');
      expect((await queuedCall).data.length, 3, 'a call that waited');
      expect(await code(pool.attention(request, { signal: controller.signal })), 'cancelled', 'a signal that was given before');
      expect(await code(pool.attention(request, { signal: 1 as never })), 'invalid_argument', 'what is no signal');
      await compareAttention(pool, phasor, {}, { mask: 'causal', encoding: 'rope' });
    },
  ],
  [
    'cancels calls of one worker independently',
    async (_, phasor) => {
      const controller = new AbortController();
      const bigRequest = { seed: 1, shape: [3000, 1000] };
      const runningCall = code(phasor.randomNormal(bigRequest));
      const queuedCall = code(phasor.randomNormal(bigRequest, { signal: controller.signal }));
      const last = phasor.randomNormal({ seed: 1, shape: [3] }, { signal: new AbortController().signal });
      controller.abort();
      expect(await queuedCall, 'cancelled', 'the call that waited');
      expect(await runningCall, 'none', 'the call before it');
      expect((await last).data.length, 3, 'the call behind it');
      const secondController = new AbortController();
      const abortedCall = code(phasor.randomNormal(bigRequest, { signal: secondController.signal }));
      setTimeout(() => secondController.abort(), 5);
      expect(await abortedCall, 'cancelled', 'the call under way');
      expect((await phasor.randomNormal({ seed: 1, shape: [2] }, {})).data.length, 2, 'the call after it');
    },
  ],
];

export const poolContract: readonly PoolCase[] = [
  ...results.map(([name, shapes, options]) => ({
    name: `returns the results of a single worker: ${name}`,
    run: (pool: PhasorPool, phasor: RemotePhasor) => compareAttention(pool, phasor, shapes, options),
  })),
  ...otherCases.map(([name, run]) => ({ name, run })),
];
