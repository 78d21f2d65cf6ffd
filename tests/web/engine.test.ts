// The contract on the built package: every variant, on this thread, in a worker thread and in a pool.

import { afterAll, describe, expect, it } from 'vitest';
import { createPhasor, PhasorError, type Variant } from '../../web/engine/node.ts';
import { createPhasorPool, createPhasorWorker } from '../../web/engine/workers.node.ts';
import { contract } from './engine.contract.ts';
import './relaxed-simd.ts';

const creators = { 'same thread': createPhasor, 'worker thread': createPhasorWorker, pool: createPhasorPool };
/** Environments of each variant. Transport of calls does not depend on the variant, so only the fastest runs in all. */
const runs: Record<Variant, (keyof typeof creators)[]> = {
  relaxed: ['same thread', 'worker thread', 'pool'],
  simd: ['same thread', 'pool'],
};

for (const [variant, places] of Object.entries(runs) as [Variant, (keyof typeof creators)[]][]) {
  describe.each(places)(`${variant}, %s`, async (location) => {
    const phasor = await creators[location]({ variant, ...(location === 'pool' ? { workers: 2 } : {}) });
    afterAll(() => {
      if ('dispose' in phasor) phasor.dispose();
    });
    it('runs the requested variant', () => expect(phasor.variant).toBe(variant));
    for (const { name, run } of contract) it(name, () => run(phasor));
  });
}

describe('createPhasorWorker', () => {
  it('answers calls in order and rejects pending ones when it is disposed', async () => {
    const phasor = await createPhasorWorker();
    const late = phasor.randomNormal({ seed: 1, shape: [1000, 1000] });
    phasor.dispose();
    phasor.dispose();
    await expect(late).rejects.toThrow('the worker was disposed');
    await expect(phasor.randomNormal({ seed: 1, shape: [1] })).rejects.toThrow(PhasorError);
  });
});
