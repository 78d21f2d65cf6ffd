// Ablated heads and K-composition of a model in training, through the package.
import { expect, it } from 'vitest';
import { createTrainer, createTrainerWorker } from '../../web/engine/train.node.ts';
import type { Trainer } from '../../web/engine/types/api.ts';

const TOKENS = [0, 5, 1, 7, 3, 5];
const SPEC = { task: 'induction', encoding: 'rope', batchSize: 4 } as const;

/** A model of the same weights whose output projection does not read that head. */
async function createAblatedTrainer(source: Trainer, layer: number, head: number): Promise<Trainer> {
  const ablatedTrainer = await createTrainer(SPEC);
  const weights = await source.weights();
  const name = `layers.${layer}.attention.out_proj.weight`;
  const { shape, data } = weights[name] as { shape: number[]; data: Float32Array };
  const { embedDim, heads } = source.config;
  const dim = embedDim / heads;
  const zeroedWeights = data.map((weight, index) => (Math.floor((index % embedDim) / dim) === head ? 0 : weight));
  await ablatedTrainer.loadWeights({ ...weights, [name]: { shape, data: zeroedWeights } });
  return ablatedTrainer;
}

it('ablateHeads computes as if the output projection did not read the head', async () => {
  const trainer = await createTrainer(SPEC);
  await trainer.step(3);
  const fullLogits = await trainer.logits(TOKENS);
  for (const [layer, head] of [
    [0, 3],
    [1, 1],
  ] as const) {
    const ablatedTrainer = await createAblatedTrainer(trainer, layer, head);
    await trainer.ablateHeads([{ layer, head }]);
    const ablatedLogits = await trainer.logits(TOKENS);
    expect(ablatedLogits).toEqual(await ablatedTrainer.logits(TOKENS));
    expect(ablatedLogits).not.toEqual(fullLogits);
    expect(await trainer.evaluate({ numSamples: 4 })).toMatchObject({
      lengths: (await ablatedTrainer.evaluate({ numSamples: 4 })).lengths,
    });
    await trainer.ablateHeads([{ layer, head }], { type: 'mean' });
    expect(await trainer.logits(TOKENS)).not.toEqual(ablatedLogits);
    ablatedTrainer.dispose();
  }
  await expect(trainer.step()).rejects.toThrow('count: heads are ablated; restore all heads before a step');
  await trainer.ablateHeads([]);
  expect(await trainer.logits(TOKENS)).toEqual(fullLogits);
  await trainer.step();
  trainer.dispose();
});

it('ablateHeads rejects heads that the model does not have, and changes nothing', async () => {
  const trainer = await createTrainerWorker(SPEC);
  const fullLogits = await trainer.logits(TOKENS);
  await expect(trainer.ablateHeads([{ layer: 2, head: 0 }])).rejects.toThrow(/^heads\[0\]\.layer: 2 is outside 0 to 1$/);
  await expect(trainer.ablateHeads([{ layer: 0, head: 0.5 }])).rejects.toThrow(/^heads/);
  await expect(trainer.ablateHeads('all' as never)).rejects.toThrow(/^heads: /);
  await expect(trainer.ablateHeads([3] as never)).rejects.toThrow(/^heads\[0\]: /);
  await expect(trainer.ablateHeads([{ layer: 0, head: 0 }], { type: 'median' as never })).rejects.toThrow(/^type: /);
  expect(await trainer.logits(TOKENS)).toEqual(fullLogits);
  trainer.dispose();
});

it('kComposition before training is that of random matrices', async () => {
  const trainer = await createTrainer({ ...SPEC, embedDim: 32 });
  const { shape, data } = await trainer.kComposition();
  expect(shape).toEqual([4, 4]);
  const mean = Math.sqrt(data.reduce((sum, value) => sum + value ** 2, 0) / 16);
  expect(mean * Math.sqrt(32)).toBeGreaterThan(0.8);
  expect(mean * Math.sqrt(32)).toBeLessThan(1.25);
  await expect(trainer.kComposition({ fromLayer: 1, toLayer: 1 })).rejects.toThrow(/^toLayer: 1 is not after fromLayer, 1$/);
  await expect(trainer.kComposition({ toLayer: 2 })).rejects.toThrow(/^toLayer: 2 is outside 0 to 1$/);
  const popeTrainer = await createTrainer({ ...SPEC, encoding: 'pope' });
  await expect(popeTrainer.kComposition()).rejects.toThrow('pope does not transform queries and keys linearly');
  for (const owner of [trainer, popeTrainer]) owner.dispose();
});
