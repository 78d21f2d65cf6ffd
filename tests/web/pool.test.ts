// The pool in Node: its contract, splitting of attention, and terminated workers.

import { afterAll, describe, expect, it } from 'vitest';
import { poolCreator, workerCreator } from '../../web/engine/create/workers.ts';
import { node } from '../../web/engine/platform/node.ts';
import type { Platform, WorkerPort } from '../../web/engine/platform/platform.ts';
import { sliceRequest, splitQueries } from '../../web/engine/pool/query-ranges.ts';
import { createPhasorPool, createPhasorWorker, PhasorError } from '../../web/engine/workers.node.ts';
import { poolContract } from './pool.contract.ts';
import './relaxed-simd.ts';

const creators = (platform: Platform) => ({ createPhasorPool: poolCreator(platform), createPhasorWorker: workerCreator(platform) });

/** The creators, with threads that the test can observe and terminate. */
function recordCalls() {
  const threads: WorkerPort[] = [];
  const calls: object[][] = [];
  const platform: Platform = {
    ...node,
    start(source) {
      const thread = node.start(source);
      const number = threads.push(thread) - 1;
      calls[number] = [];
      return {
        ...thread,
        post(message, transfer) {
          if ((message as { kind: string }).kind === 'call') calls[number]?.push(message as object);
          thread.post(message, transfer);
        },
      };
    },
  };
  return { threads, calls, ...creators(platform) };
}

const tensor = (shape: readonly [number, number, number]) => ({
  shape,
  data: Float32Array.from({ length: shape[0] * shape[1] * shape[2] }, (_, i) => Math.sin(i)),
});
const large = { q: tensor([4, 600, 32]), k: tensor([4, 600, 32]), v: tensor([4, 600, 32]) };

describe.each([2, 3])('a pool of %i workers', async (workers) => {
  const pool = await createPhasorPool({ workers });
  const worker = await createPhasorWorker();
  afterAll(() => {
    pool.dispose();
    worker.dispose();
  });
  it('reports the number of its workers', () => expect(pool.workers).toBe(workers));
  for (const { name, run } of poolContract) it(name, () => run(pool, worker));
});

describe('splitQueries', () => {
  const sizes = (request: Parameters<typeof splitQueries>[0], workers: number) =>
    splitQueries(request, workers).map(({ begin, end }) => end - begin);

  it('assigns equally many rows to each worker if all rows cost the same', () => {
    expect(sizes(large, 4)).toEqual([150, 150, 150, 150]);
    expect(sizes({ ...large, mask: 'causal', outputs: ['weights'] }, 2)).toEqual([300, 300]);
  });

  it('balances the number of unmasked keys under a causal mask', () => {
    const unmasked = splitQueries({ ...large, mask: 'causal' }, 3).map(({ begin, end }) => ((end - begin) * (begin + 1 + end)) / 2);
    expect(unmasked).toHaveLength(3);
    const mean = unmasked.reduce((a, b) => a + b) / 3;
    for (const keys of unmasked) expect(Math.abs(keys / mean - 1)).toBeLessThan(0.01);
  });

  it('splits at cell boundaries of pooled weights', () => {
    const map = { rows: [30, 590], cellSize: [70, 1] } as const;
    const rangeEnds = splitQueries({ ...large, outputs: ['pooledWeights'], pooling: map }, 3).map(({ end }) => end);
    expect(rangeEnds).toEqual([170, 380, 600]);
  });

  it('covers every query once, in order', () => {
    for (const options of [
      {},
      { mask: 'causal' as const },
      { window: 5 },
      { positionOffset: -550 },
      { positionOffset: 1e6, mask: 'causal' as const },
    ]) {
      for (const workers of [2, 3, 7, 64]) {
        const ranges = splitQueries({ ...large, ...options }, workers);
        if (ranges.length === 0) continue;
        expect(ranges[0]?.begin).toBe(0);
        expect(ranges.at(-1)?.end).toBe(600);
        ranges.forEach(({ begin, end }, i) => {
          expect(end).toBeGreaterThan(begin);
          if (i > 0) expect(begin).toBe(ranges[i - 1]?.end);
        });
      }
    }
    expect(sizes(large, 64).length).toBeGreaterThan(2);
  });

  it('splits strided tensors like contiguous ones, and slices q per part', () => {
    const data = new Float32Array(600 * 3 * 4 * 32);
    const view = (offset: number) => ({ shape: [4, 600, 32], strides: [32, 3 * 4 * 32, 1], offset, data });
    const request = { q: view(0), k: view(128), v: view(256) };
    expect(sizes(request, 4)).toEqual([150, 150, 150, 150]);
    const { q } = sliceRequest(request, { begin: 150, end: 300 });
    expect(q).toEqual({ shape: [4, 150, 32], strides: [32, 384, 1], offset: 150 * 384, data });
    const strided = { shape: [600], strides: [2], data: Array.from({ length: 1200 }, (_, i) => i / 2) };
    expect(sizes({ ...request, queryPositions: strided, keyPositions: strided }, 4)).toEqual([150, 150, 150, 150]);
    const slice = sliceRequest({ ...request, queryPositions: strided, keyPositions: strided }, { begin: 2, end: 5 });
    expect(slice.queryPositions).toEqual([2, 3, 4]);
    expect(sizes({ ...request, v: view(257) }, 4)).toEqual([]);
    expect(sizes({ ...request, v: { ...view(0), strides: [1] } }, 4)).toEqual([]);
    expect(sizes({ ...request, queryPositions: { ...strided, strides: [3] }, keyPositions: strided }, 4)).toEqual([]);
  });

  it('does not split small or invalid requests', () => {
    const smallTensor = tensor([1, 16, 4]);
    expect(sizes({ q: smallTensor, k: smallTensor, v: smallTensor }, 4).length).toBeLessThan(2);
    expect(sizes({ ...large, v: { ...large.v, shape: [4, 600] } }, 4)).toEqual([]);
    expect(sizes({ ...large, positionOffset: 'far' as never }, 4)).toEqual([]);
    expect(sizes({ ...large, outputs: ['picture' as never] }, 4)).toEqual([]);
    expect(sizes({ ...large, outputs: ['pooledWeights'], pooling: { rows: [5, 601] } }, 4)).toEqual([]);
    expect(sizes({ ...large, outputs: ['pooledWeights'], pooling: { size: 8, cellSize: [1, 1] } }, 4)).toEqual([]);
    expect(sizes({ ...large, outputs: 'weights' as never }, 4)).toEqual([]);
    expect(sizes({ ...large, q: { shape: [4, 600, 32], data: [1] as never } }, 4)).toEqual([]);
    const usual = Array.from({ length: 600 }, (_, token) => token);
    const positions = { queryPositions: usual, keyPositions: usual };
    expect(sizes({ ...large, ...positions }, 4).length).toBeGreaterThan(1);
    expect(sizes({ ...large, ...positions, positionOffset: 0 }, 4)).toEqual([]);
    expect(sizes({ ...large, queryPositions: usual }, 4)).toEqual([]);
    expect(sizes({ ...large, ...positions, keyPositions: usual.slice(1) }, 4)).toEqual([]);
    expect(sizes({ ...large, ...positions, queryPositions: 'all' as never }, 4)).toEqual([]);
    // Differences of fractional positions are rounded.
    expect(sizes({ ...large, ...positions, queryPositions: usual.map((token) => token / 3) }, 4)).toEqual([]);
    expect(sizes({ ...large, ...positions, keyPositions: { shape: [300, 2], data: usual } }, 4)).toEqual([]);
  });
});

describe('calls of a worker', () => {
  const request = { seed: 1, shape: [2] };

  it('are pipelined, except for cancellable ones', async () => {
    const { calls, createPhasorWorker } = recordCalls();
    const phasor = await createPhasorWorker();
    const first = Promise.all([phasor.randomNormal(request), phasor.randomNormal(request), phasor.randomNormal(request)]);
    await Promise.resolve();
    expect(calls[0]).toHaveLength(3);
    const { signal } = new AbortController();
    const singleCall = phasor.randomNormal(request, { signal });
    const last = phasor.randomNormal(request);
    await Promise.resolve();
    expect(calls[0]).toHaveLength(3);
    await first;
    expect(calls[0]).toHaveLength(4);
    await singleCall;
    expect(calls[0]).toHaveLength(5);
    expect((await last).data).toHaveLength(2);
    phasor.dispose();
  });

  it('are rejected if pending when the worker dies, and sent to a new worker if queued', async () => {
    const { threads, createPhasorWorker } = recordCalls();
    const phasor = await createPhasorWorker();
    const x = tensor([8, 2000, 32]);
    const lostCalls = [phasor.attention({ q: x, k: x, v: x }), phasor.randomNormal(request)];
    const queuedCall = phasor.randomNormal(request, { signal: new AbortController().signal });
    await Promise.resolve();
    threads[0]?.terminate();
    for (const call of lostCalls) await expect(call).rejects.toThrow(/^the worker stopped: the thread exited/);
    expect((await queuedCall).data).toHaveLength(2);
    expect(threads).toHaveLength(2);
    phasor.dispose();
  });
});

describe('a worker that cannot receive a request', () => {
  it('rejects the call and computes the next one', async () => {
    let isFailing = false;
    const { createPhasorWorker } = creators({
      ...node,
      start(source) {
        const thread = node.start(source);
        const post: WorkerPort['post'] = (message, transfer) => {
          if (isFailing) throw new RangeError('out of memory');
          thread.post(message, transfer);
        };
        return { ...thread, post };
      },
    });
    const phasor = await createPhasorWorker();
    isFailing = true;
    for (const options of [{}, { signal: new AbortController().signal }]) {
      const call = phasor.randomNormal({ seed: 1, shape: [2] }, options);
      await expect(call).rejects.toMatchObject({
        code: 'resource_exhausted',
        message: expect.stringMatching(/^the request cannot be sent/),
      });
    }
    isFailing = false;
    expect((await phasor.randomNormal({ seed: 1, shape: [2] })).data).toHaveLength(2);
    phasor.dispose();
  });
});

describe('workers of a pool', () => {
  it('start on demand, and each compute a part', async () => {
    const { threads, calls, createPhasorPool } = recordCalls();
    const pool = await createPhasorPool({ workers: 3 });
    expect(threads).toHaveLength(1);
    await pool.randomNormal({ seed: 1, shape: [2] });
    expect(threads).toHaveLength(1);
    await pool.attention(large);
    expect(calls.map((list) => list.length)).toEqual([2, 1, 1]);
    pool.dispose();
  });

  it('are replaced when they die, so that only the pending call fails', async () => {
    const { threads, createPhasorPool } = recordCalls();
    const pool = await createPhasorPool({ workers: 2 });
    await pool.attention(large);
    const x = tensor([8, 4000, 32]); // busy long enough to be terminated
    for (const victim of [0, 1]) {
      const lostCall = pool.attention({ q: x, k: x, v: x });
      threads[victim]?.terminate();
      await expect(lostCall).rejects.toThrow(/^the worker stopped: the thread exited/);
      expect((await pool.attention(large)).output.shape).toEqual([4, 600, 32]);
    }
    threads.at(-1)?.terminate(); // while idle
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await pool.attention(large)).output.shape).toEqual([4, 600, 32]);
    expect(threads).toHaveLength(5);
    pool.dispose();
  });

  it('terminate with the pool; pending and later calls are rejected', async () => {
    const pool = await createPhasorPool({ workers: 2 });
    const pendingCall = pool.attention(large);
    pool.dispose();
    pool.dispose();
    await expect(pendingCall).rejects.toThrow('the worker was disposed');
    await expect(pool.attention(large)).rejects.toThrow(PhasorError);
    await expect(pool.randomNormal({ seed: 1, shape: [1] })).rejects.toThrow(PhasorError);
  });

  it('cause creation to fail if they cannot start', async () => {
    const { createPhasorPool } = creators({ ...node, start: () => node.start('process.exit(3)') });
    await expect(createPhasorPool({ workers: 2 })).rejects.toThrow('a worker cannot be started: the thread exited with code 3');
    const blocked = creators({
      ...node,
      start: () => {
        throw new Error('a policy forbids it');
      },
    });
    await expect(blocked.createPhasorWorker()).rejects.toThrow('a worker cannot be started: a policy forbids it');
  });

  it('default to one per core, at most 8, and an invalid count is rejected', async () => {
    const { createPhasorPool } = creators({ ...node, countCores: () => 12 });
    const pool = await createPhasorPool();
    expect(pool.workers).toBe(8);
    pool.dispose();
    await expect(createPhasorPool({ workers: 0 })).rejects.toThrow('workers: 0 is not a whole number from 1 to 64');
    await expect(createPhasorPool({ workers: 1.5 })).rejects.toThrow(PhasorError);
  });
});
