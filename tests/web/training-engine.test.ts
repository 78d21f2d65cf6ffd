// The engine that computes figures and runs trained models in one memory.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sameThread } from '../../web/engine/worker/same-thread.ts';
import { WorkerClient } from '../../web/engine/worker/worker-client.ts';
import { dedupeEngine } from '../../web/figure/runtime/services.ts';
import { createTrainingEngine } from '../../web/figure/runtime/training-engine.ts';

const module = await WebAssembly.compile(await readFile('build/wasm/phasor-nn.wasm'));
const spec = { task: 'induction', encoding: 'rope', layers: 1, heads: 2, embedDim: 16, seed: 1 } as const;

it('runs several models, which are disposed of independently', async () => {
  const client = new WorkerClient(sameThread, { module, program: 'phasor-nn', isFused: false });
  const engine = dedupeEngine(createTrainingEngine({ client, info: { ...(await client.start()), thread: 'same-thread' } }));
  const create = engine.createTrainer as NonNullable<typeof engine.createTrainer>;
  const [first, second] = [await create(spec), await create({ ...spec, encoding: 'none' })];
  const tokens = [0, 1, 2, 0];
  const { data } = await second.logits(tokens);
  expect((await first.logits(tokens)).data).not.toEqual(data);
  first.dispose();
  await expect(first.logits(tokens)).rejects.toThrow('trainer: is disposed');
  expect((await second.logits(tokens)).data).toEqual(data);
  await expect(create({ ...spec, embedDim: 15 })).rejects.toThrow('embedDim');
  expect((await engine.randomNormal({ seed: 1, shape: [2] })).shape).toEqual([2]);
  engine.dispose();
  await expect(second.logits(tokens)).rejects.toThrow('the worker was disposed');
});
