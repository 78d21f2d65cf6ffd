// Entries of the package that exist only after a build: phasor/inline, phasor/worker.js, phasor/model-worker.js and CommonJS.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import type * as Models from '../../web/engine/model.node.ts';
import type * as Package from '../../web/engine/node.ts';
import type * as Workers from '../../web/engine/workers.node.ts';
import '../web/relaxed-simd.ts';

const { PhasorError }: typeof Package = await import('../../dist/npm/node.js' as string);
const { createPhasorPool, createPhasorWorker }: typeof Workers = await import('../../dist/npm/workers.node.js' as string);
const { openModel, openModelWorker }: typeof Models = await import('../../dist/npm/model.node.js' as string);
const inline: typeof Workers & typeof Package = await import('../../dist/npm/inline.node.js' as string);

const request = { encoding: 'sinusoidal', length: 2, dim: 4 };

it('embeds the WebAssembly of both variants in phasor/inline', async () => {
  for (const variant of ['relaxed', 'simd'] as const) {
    const direct = await inline.createPhasor({ variant });
    const remote = await inline.createPhasorWorker({ variant });
    expect([direct.variant, remote.variant]).toEqual([variant, variant]);
    expect(await remote.positionTable(request)).toEqual(direct.positionTable(request));
    remote.dispose();
  }
});

it('starts workers from the URL of their script, or from a function that creates them', async () => {
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

it('opens a model in a worker from the URL of its script, and rejects the script of another entry', async () => {
  const files = 'tests/golden-models/llama-gqa';
  using direct = await openModel(files);
  const script = new URL('../../dist/npm/model-worker.node.js', import.meta.url);
  for (const worker of [undefined, script, script.href, () => new Worker(script)]) {
    using model = await openModelWorker(files, { worker: worker as never });
    expect(model.thread).toBe('worker');
    expect(await model.run([5, 6, 7])).toEqual(await direct.run([5, 6, 7]));
  }
  const url = new URL('../../dist/npm/worker.node.js', import.meta.url);
  await expect(openModelWorker(files, { worker: url })).rejects.toThrow('worker: this script does not run phasor-model.wasm');
  await expect(createPhasorWorker({ worker: script })).rejects.toThrow('worker: this script does not run phasor.wasm');
});

it('recognizes errors of other copies of the package as PhasorError', async () => {
  const commonModule = createRequire(import.meta.url)('../../dist/npm/node.cjs');
  const error = await commonModule.createPhasor({ variant: 'fast' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PhasorError);
  expect(error).toBeInstanceOf(commonModule.PhasorError);
  expect(new Error('x')).not.toBeInstanceOf(PhasorError);
});
