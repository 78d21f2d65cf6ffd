// A handle belongs to one engine and is lost with its instance. tests/web/memory.test.ts checks for leaks.

import { afterAll, describe, expect, it } from 'vitest';
import { similarity } from '../../web/engine/analysis.ts';
import { createPhasor, PhasorError } from '../../web/engine/node.ts';
import { createPhasorPool, createPhasorWorker } from '../../web/engine/workers.node.ts';
import { tensor } from './every-request.ts';

const direct = await createPhasor();
const other = await createPhasor();
const worker = await createPhasorWorker();
const pool = await createPhasorPool({ workers: 2 });
afterAll(() => {
  worker.dispose();
  pool.dispose();
});

const engines = { direct, other, worker, pool };
const sizes = { length: 2, dim: 2 };
const open = { heads: 1, headDim: 2, maxLength: 4 };
const x = tensor(1, 2, 2);
const large = tensor(4, 600, 32); // large enough for a pool to split

describe.each(Object.keys(engines) as (keyof typeof engines)[])('a handle of the engine "%s"', (custom) => {
  it('is rejected by every other engine', async () => {
    const owner = engines[custom];
    const tensorHandle = await owner.createTensor(x);
    const long = await owner.createTensor(large);
    const created = await owner.createEncoding({ encoding: 'rope', ...sizes });
    const cache = await owner.createCache(open);
    for (const [name, engine] of Object.entries(engines)) {
      if (name === custom) continue;
      const calls: [() => unknown, string][] = [
        [() => engine.attention({ q: x, k: tensorHandle, v: x }), 'k: this tensor handle'],
        [() => engine.attention({ q: large, k: long, v: large }), 'k: this tensor handle'],
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
    for (const handle of [tensorHandle, long, created, cache]) handle.dispose();
  });
});

describe.each([
  ['a worker', worker],
  ['a pool', pool],
])('a cancelled call of %s', (_, remote) => {
  it('loses its handles, and later calls report the lost handle by name', async () => {
    const kept = await remote.createTensor(large);
    const result = await remote.createEncoding({ encoding: 'rope', length: 600, dim: 32, heads: 4 });
    const cache = await remote.createCache(open);
    const before = await remote.attention({ q: large, k: kept, v: kept, encoding: result });
    const controller = new AbortController();
    const long = tensor(8, 4096, 64);
    const cancelled = remote.attention({ q: long, k: long, v: long }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    const lost = (name: string, label: string) => ({
      code: 'invalid_argument',
      message: `${name}: this ${label} was lost when its engine was restarted; create it again`,
    });
    await expect(remote.attention({ q: large, k: kept, v: large })).rejects.toMatchObject(lost('k', 'tensor handle'));
    await expect(remote.applyRotary(large, { encoding: result })).rejects.toMatchObject(lost('encoding', 'encoding handle'));
    await expect(cache.fork()).rejects.toMatchObject(lost('cache', 'cache'));
    // New handles do not reuse the ids of lost ones.
    const again = await remote.createTensor(large);
    await expect(remote.attention({ q: large, k: kept, v: large })).rejects.toMatchObject(lost('k', 'tensor handle'));
    const encoding = await remote.createEncoding({ encoding: 'rope', length: 600, dim: 32, heads: 4 });
    const { output } = await remote.attention({ q: large, k: again, v: again, encoding });
    expect(output.data).toEqual(before.output.data);
    for (const handle of [kept, result, cache, again, encoding]) handle.dispose();
  });
});

it('loses a handle if an exception ends its instance', async () => {
  const phasor = await createPhasor();
  const kept = phasor.createTensor(x);
  const gone = phasor.createTensor(x);
  const { set } = Float32Array.prototype;
  Float32Array.prototype.set = () => {
    throw new TypeError('no copies today');
  };
  try {
    expect(() => phasor.createTensor(x)).toThrow('createTensor: the computation stopped (no copies today)');
  } finally {
    Float32Array.prototype.set = set;
  }
  gone.dispose();
  expect(() => similarity(phasor, { table: kept })).toThrow(
    'table: this tensor handle was lost when its engine was restarted; create it again',
  );
  kept.dispose();
});

it('disposes handles of a worker while calls are pending, and after the worker is disposed', async () => {
  const remote = await createPhasorWorker();
  const kept = await remote.createTensor(large);
  const response = remote.attention({ q: large, k: kept, v: kept });
  kept.dispose();
  expect((await response).output.shape).toEqual(large.shape);
  const late = await remote.createTensor(x);
  remote.dispose();
  late.dispose();
  expect(late.disposed).toBe(true);
});
