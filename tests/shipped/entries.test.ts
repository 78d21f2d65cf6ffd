// Entries of the package that only a build makes: phasor/inline, phasor/worker.js and CommonJS.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type * as Package from '../../web/engine/node.ts';
import type * as Workers from '../../web/engine/workers.node.ts';
import '../web/relaxed-simd.ts';

const { PhasorError }: typeof Package = await import('../../dist/npm/node.js' as string);
const { createPhasorPool, createPhasorWorker }: typeof Workers = await import('../../dist/npm/workers.node.js' as string);
const inline: typeof Workers & typeof Package = await import('../../dist/npm/inline.node.js' as string);

const request = { encoding: 'sinusoidal', length: 2, dim: 4 };

it('has the WebAssembly inside of phasor/inline, in any variant', async () => {
  for (const variant of ['relaxed', 'simd'] as const) {
    const direct = await inline.createPhasor({ variant });
    const remote = await inline.createPhasorWorker({ variant });
    expect([direct.variant, remote.variant]).toEqual([variant, variant]);
    expect(await remote.positionTable(request)).toEqual(direct.positionTable(request));
    remote.dispose();
  }
});

it('starts a worker from its file, or from one that the caller started', async () => {
  const script = new URL('../../dist/npm/worker.node.js', import.meta.url);
  for (const worker of [script, script.href, () => new Worker(script)]) {
    for (const create of [createPhasorWorker, createPhasorPool]) {
      const phasor = await create({ worker: worker as never });
      expect(phasor.thread).toBe('worker');
      expect((await phasor.positionTable(request)).data[4]).toBe(Math.fround(Math.sin(1)));
      phasor.dispose();
    }
  }
});

it('takes errors of its other copies for its own', async () => {
  const common = createRequire(import.meta.url)('../../dist/npm/node.cjs');
  const error = await common.createPhasor({ variant: 'fast' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PhasorError);
  expect(error).toBeInstanceOf(common.PhasorError);
  expect(new Error('x')).not.toBeInstanceOf(PhasorError);
});
