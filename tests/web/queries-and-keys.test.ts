// Queries and keys of a model in training, before rotation: the engine computes the model's attention weights from them.

import { expect, it } from 'vitest';
import { createPhasor } from '../../web/engine/node.ts';
import { createTrainer, createTrainerWorker } from '../../web/engine/train.node.ts';
import type { Tensor } from '../../web/engine/types/api.ts';

const phasor = await createPhasor();

const TOKENS = [0, 5, 1, 7, 3];
const layerOf = ({ shape, data }: Tensor, layer: number): Tensor => {
  const size = data.length / (shape[0] as number);
  return { shape: shape.slice(1), data: data.slice(layer * size, (layer + 1) * size) };
};

it.each([
  ['order', 'rope', {}],
  ['copy', 'rope', { scale: 0.5 }],
  ['copy', { id: 'rope', layout: 'half_split', rotary_fraction: 0.5 }, {}],
  ['copy', 'xpos', {}],
  ['copy', 'alibi', {}],
  ['copy', 'none', {}],
] as const)('queriesAndKeys reproduces the attention weights of task %s with encoding %j', async (task, encoding, options) => {
  const trainer = await createTrainer({ task, encoding, batchSize: 4, ...options });
  await trainer.step(2);
  const { q, k } = await trainer.queriesAndKeys(TOKENS);
  const { layers, heads, embedDim, causal, scale } = trainer.config;
  expect(q.shape).toEqual([layers, heads, TOKENS.length, embedDim / heads]);
  expect(k.shape).toEqual(q.shape);
  const maps = await trainer.attentionWeights(TOKENS);
  for (let layer = 0; layer < layers; layer++) {
    const key = layerOf(k, layer);
    const { weights } = phasor.attention({
      q: layerOf(q, layer),
      k: key,
      v: key,
      encoding: trainer.config.encoding,
      mask: causal ? 'causal' : 'none',
      outputs: ['weights'],
      ...(scale === undefined ? {} : { scale }),
    });
    const expected = layerOf(maps, layer).data;
    expect(weights?.data.length).toBe(expected.length);
    expected.forEach((weight, index) => void expect(Math.abs((weights?.data[index] ?? Number.NaN) - weight)).toBeLessThan(5e-6));
  }
  trainer.dispose();
});

it('queriesAndKeys returns the same in a worker, and rejects invalid tokens and a model without attention', async () => {
  const spec = { task: 'order', encoding: 'rope', batchSize: 4 };
  const [trainer, workerTrainer] = [await createTrainer(spec), await createTrainerWorker(spec)];
  expect(await workerTrainer.queriesAndKeys(TOKENS)).toEqual(await trainer.queriesAndKeys(TOKENS));
  await expect(trainer.queriesAndKeys([])).rejects.toThrow(/^tokens: is empty$/);
  await expect(workerTrainer.queriesAndKeys([0, 99])).rejects.toThrow(/^tokens\[1\]: 99 is outside 0 to 19$/);
  const image = await createTrainer({ task: 'image', encoding: 'fourier', image: { shape: [2, 2, 3], data: new Float32Array(12) } });
  await expect(image.queriesAndKeys([0])).rejects.toThrow(/^tokens: the image network has no attention$/);
  for (const one of [trainer, workerTrainer, image]) one.dispose();
});
