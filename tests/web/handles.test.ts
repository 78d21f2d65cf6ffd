// Handles across engines: each belongs to one, and is lost with its instance. tests/web/memory.test.ts has what they leave behind.

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
const large = tensor(4, 600, 32); // a pool cuts it

describe.each(Object.keys(engines) as (keyof typeof engines)[])('a handle of the engine "%s"', (mine) => {
  it('is rejected by every other engine', async () => {
    const owner = engines[mine];
    const kept = await owner.createTensor(x);
    const long = await owner.createTensor(large);
    const made = await owner.createEncoding({ encoding: 'rope', ...sizes });
    const cache = await owner.createCache(open);
    for (const [name, engine] of Object.entries(engines)) {
      if (name === mine) continue;
      const calls: [() => unknown, string][] = [
        [() => engine.attention({ q: x, k: kept, v: x }), 'k: this tensor handle'],
        [() => engine.attention({ q: large, k: long, v: large }), 'k: this tensor handle'],
        [() => engine.attention({ q: x, k: x, v: x, encoding: made }), 'encoding: this encoding handle'],
        [() => similarity(engine, { table: cache as never }), 'table: this cache'],
        [() => engine.createTensor(kept as never), 'tensor: this tensor handle'],
        [() => engine.createEncoding({ encoding: { id: 'alibi', slopes: kept }, ...sizes }), 'encoding.slopes: this tensor handle'],
      ];
      for (const [call, subject] of calls) {
        const error = await Promise.resolve()
          .then(call)
          .catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(PhasorError);
        expect(error).toMatchObject({ code: 'invalid_argument', message: `${subject} belongs to another engine` });
      }
    }
    for (const handle of [kept, long, made, cache]) handle.dispose();
  });
});

describe.each([
  ['a worker', worker],
  ['a pool', pool],
])('a cancelled call of %s', (_, remote) => {
  it('loses its handles, which later calls name', async () => {
    const kept = await remote.createTensor(large);
    const made = await remote.createEncoding({ encoding: 'rope', length: 600, dim: 32, heads: 4 });
    const cache = await remote.createCache(open);
    const before = await remote.attention({ q: large, k: kept, v: kept, encoding: made });
    const controller = new AbortController();
    const long = tensor(8, 4096, 64);
    const cancelled = remote.attention({ q: long, k: long, v: long }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    const lost = (name: string, what: string) => ({
      code: 'invalid_argument',
      message: `${name}: this ${what} is lost, because its engine had to start anew; make it again`,
    });
    await expect(remote.attention({ q: large, k: kept, v: large })).rejects.toMatchObject(lost('k', 'tensor handle'));
    await expect(remote.applyRotary(large, { encoding: made })).rejects.toMatchObject(lost('encoding', 'encoding handle'));
    await expect(cache.fork()).rejects.toMatchObject(lost('cache', 'cache'));
    // Numbers of new handles are not those of lost ones.
    const again = await remote.createTensor(large);
    await expect(remote.attention({ q: large, k: kept, v: large })).rejects.toMatchObject(lost('k', 'tensor handle'));
    const encoding = await remote.createEncoding({ encoding: 'rope', length: 600, dim: 32, heads: 4 });
    const { output } = await remote.attention({ q: large, k: again, v: again, encoding });
    expect(output.data).toEqual(before.output.data);
    for (const handle of [kept, made, cache, again, encoding]) handle.dispose();
  });
});

it('loses a handle with the instance that an exception ends', async () => {
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
    'table: this tensor handle is lost, because its engine had to start anew; make it again',
  );
  kept.dispose();
});

it('frees the memory of a worker while calls are pending, and after the worker is gone', async () => {
  const remote = await createPhasorWorker();
  const kept = await remote.createTensor(large);
  const answer = remote.attention({ q: large, k: kept, v: kept });
  kept.dispose();
  expect((await answer).output.shape).toEqual(large.shape);
  const late = await remote.createTensor(x);
  remote.dispose();
  late.dispose();
  expect(late.disposed).toBe(true);
});
