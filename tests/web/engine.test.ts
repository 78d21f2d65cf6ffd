// The contract on the built package: both variants, on this thread, in a worker thread and in a pool.
import { afterAll, describe, expect, it } from 'vitest';
import type * as Package from '../../web/engine/node.ts';
import type * as Workers from '../../web/engine/workers.node.ts';
import { contract } from './engine.contract.ts';

const { createPhasor, PhasorError }: typeof Package = await import('../../dist/npm/node.js' as string);
const { createPhasorPool, createPhasorWorker }: typeof Workers = await import('../../dist/npm/workers.node.js' as string);

for (const variant of ['simd', 'scalar'] as const) {
  const direct = await createPhasor({ variant });
  const remote = await createPhasorWorker({ variant });
  const pool = await createPhasorPool({ variant, workers: 2 });
  afterAll(() => {
    remote.dispose();
    pool.dispose();
  });

  describe(`${variant}, same thread`, () => {
    it('runs the variant asked for', () => expect(direct.variant).toBe(variant));
    for (const { name, run } of contract) it(name, () => run(direct));
  });

  describe(`${variant}, worker thread`, () => {
    it('runs the variant asked for', () => expect(remote.variant).toBe(variant));
    for (const { name, run } of contract) it(name, () => run(remote));
  });

  describe(`${variant}, pool`, () => {
    it('runs the variant asked for', () => expect(pool.variant).toBe(variant));
    for (const { name, run } of contract) it(name, () => run(pool));
  });
}

describe('a worker', () => {
  it('answers calls in order and rejects pending ones when it is disposed', async () => {
    const phasor = await createPhasorWorker();
    const late = phasor.gaussian({ seed: 1, shape: [1000, 1000] });
    phasor.dispose();
    phasor.dispose();
    await expect(late).rejects.toThrow('the worker was disposed');
    await expect(phasor.gaussian({ seed: 1, shape: [1] })).rejects.toThrow(PhasorError);
  });
});
