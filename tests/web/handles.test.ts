// A handle belongs to one engine and is lost with its instance. tests/web/memory.test.ts checks for leaks.

import { afterAll, describe, expect, it } from 'vitest';
import { similarity } from '../../web/engine/analysis.ts';
import { createPhasor, PhasorError } from '../../web/engine/node.ts';
import { createPhasorPool, createPhasorWorker } from '../../web/engine/workers.node.ts';
import { tensor } from './every-request.ts';

const direct = await createPhasor();
const secondPhasor = await createPhasor();
const worker = await createPhasorWorker();
const pool = await createPhasorPool({ workers: 2 });
afterAll(() => {
  worker.dispose();
  pool.dispose();
});

const engines = { direct, other: secondPhasor, worker, pool };
const sizes = { length: 2, dim: 2 };
const cacheRequest = { heads: 1, headDim: 2, maxLength: 4 };
const x = tensor(1, 2, 2);
const largeTensor = tensor(4, 600, 32); // large enough for a pool to split

describe.each(Object.keys(engines) as (keyof typeof engines)[])('a handle of the engine "%s"', (custom) => {
  it('is rejected by every other engine', async () => {
    const owner = engines[custom];
    const tensorHandle = await owner.createTensor(x);
    const largeHandle = await owner.createTensor(largeTensor);
    const created = await owner.createEncoding({ encoding: 'rope', ...sizes });
    const cache = await owner.createCache(cacheRequest);
    for (const [name, engine] of Object.entries(engines)) {
      if (name === custom) continue;
      const calls: [() => unknown, string][] = [
        [() => engine.attention({ q: x, k: tensorHandle, v: x }), 'k: this tensor handle'],
        [() => engine.attention({ q: largeTensor, k: largeHandle, v: largeTensor }), 'k: this tensor handle'],
        [() => engine.attention({ q: x, k: x, v: x, encoding: created }), 'encoding: this encoding handle'],
        [() => similarity(engine, { table: cache as never }), 'table: this cache'],
        [() => engine.createTensor(tensorHandle as never), 'tensor: this tensor handle'],
        [() => engine.createEncoding({ encoding: { id: 'alibi', slopes: tensorHandle }, ...sizes }), 'encoding.slopes: this tensor handle'],
      ];
      for (const [call, subject] of calls) {
        const error = await Promise.resolve()
          .then(call)
          .catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(PhasorError);
        expect(error).toMatchObject({ code: 'invalid_argument', message: `${subject} belongs to another engine` });
      }
    }
    for (const handle of [tensorHandle, largeHandle, created, cache]) handle.dispose();
  });
});

describe.each([
  ['a worker', worker],
  ['a pool', pool],
])('a cancelled call of %s', (_, remote) => {
  it('loses its handles, and later calls report the lost handle by name', async () => {
    const tensorHandle = await remote.createTensor(largeTensor);
    const result = await remote.createEncoding({ encoding: 'rope', length: 600, dim: 32, heads: 4 });
    const cache = await remote.createCache(cacheRequest);
    const expected = await remote.attention({ q: largeTensor, k: tensorHandle, v: tensorHandle, encoding: result });
    const controller = new AbortController();
    const longTensor = tensor(8, 4096, 64);
    const cancelled = remote.attention({ q: longTensor, k: longTensor, v: longTensor }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    const lostHandleError = (name: string, label: string) => ({
      code: 'invalid_argument',
      message: `${name}: this ${label} was lost when its engine was restarted; create it again`,
    });
    await expect(remote.attention({ q: largeTensor, k: tensorHandle, v: largeTensor })).rejects.toMatchObject(
      lostHandleError('k', 'tensor handle'),
    );
    await expect(remote.applyRotary(largeTensor, { encoding: result })).rejects.toMatchObject(
      lostHandleError('encoding', 'encoding handle'),
    );
    await expect(cache.fork()).rejects.toMatchObject(lostHandleError('cache', 'cache'));
    // New handles do not reuse the ids of lost ones.
    const secondHandle = await remote.createTensor(largeTensor);
    await expect(remote.attention({ q: largeTensor, k: tensorHandle, v: largeTensor })).rejects.toMatchObject(
      lostHandleError('k', 'tensor handle'),
    );
    const encoding = await remote.createEncoding({ encoding: 'rope', length: 600, dim: 32, heads: 4 });
    const { output } = await remote.attention({ q: largeTensor, k: secondHandle, v: secondHandle, encoding });
    expect(output.data).toEqual(expected.output.data);
    for (const handle of [tensorHandle, result, cache, secondHandle, encoding]) handle.dispose();
  });
});

it('loses a handle if an exception ends its instance', async () => {
  const phasor = await createPhasor();
  const tensorHandle = phasor.createTensor(x);
  const disposedHandle = phasor.createTensor(x);
  const { set } = Float32Array.prototype;
  Float32Array.prototype.set = () => {
    throw new TypeError('no copies today');
  };
  try {
    expect(() => phasor.createTensor(x)).toThrow('createTensor: the computation stopped (no copies today)');
  } finally {
    Float32Array.prototype.set = set;
  }
  disposedHandle.dispose();
  expect(() => similarity(phasor, { table: tensorHandle })).toThrow(
    'table: this tensor handle was lost when its engine was restarted; create it again',
  );
  tensorHandle.dispose();
});

it('disposes handles of a worker while calls are pending, and after the worker is disposed', async () => {
  const remote = await createPhasorWorker();
  const tensorHandle = await remote.createTensor(largeTensor);
  const response = remote.attention({ q: largeTensor, k: tensorHandle, v: tensorHandle });
  tensorHandle.dispose();
  expect((await response).output.shape).toEqual(largeTensor.shape);
  const pendingHandle = await remote.createTensor(x);
  remote.dispose();
  pendingHandle.dispose();
  expect(pendingHandle.disposed).toBe(true);
});
