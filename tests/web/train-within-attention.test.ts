// Trained parameters of attention in phasor/train besides its projections: sinks, norms of queries and keys, forget gates, reflections.

import { describe, expect, it } from 'vitest';
import { createTrainer, PhasorError, type Trainer } from '../../web/engine/train.node.ts';
import './relaxed-simd.ts';
import { losses, trainersBy } from './trainers.ts';

const baseFields = { task: 'copy', embedDim: 16, heads: 2, sequenceLength: 8, batchSize: 4, seed: 2 } as const;
const created = trainersBy(createTrainer);
const trainer = (fields: object): Promise<Trainer> => created({ ...baseFields, ...fields });

/** Fields of a config, and the shapes of the weights that they add to every layer. */
const parameterCases: [string, object, Record<string, number[]>][] = [
  ['sinks and norms', { encoding: 'rope', sinks: true, qkNorm: true }, { sinks: [2], 'q_norm.weight': [8], 'k_norm.weight': [8] }],
  ['forget gates', { encoding: 'forgetting' }, { gate_weight: [2, 16], gate_bias: [2] }],
  [
    'reflections',
    { encoding: { id: 'path', rank: 4 } },
    { w_down: [4, 16], w_up: [16, 4], w_conv: [16, 3], beta_weight: [2, 16], beta_bias: [2] },
  ],
];

describe.each(parameterCases)('%s', (_, fields, shapes) => {
  it('are trained as named weights of every layer', async () => {
    const [firstTrainer, secondTrainer] = [await trainer(fields), await trainer(fields)];
    const initialWeights = await firstTrainer.weights();
    expect(await losses(firstTrainer, 3)).toEqual(await losses(secondTrainer, 3));
    const trainedWeights = await firstTrainer.weights();
    for (const layer of [0, 1]) {
      for (const [name, shape] of Object.entries(shapes)) {
        const fullName = `layers.${layer}.attention.${name}`;
        expect(trainedWeights[fullName]?.shape, fullName).toEqual(shape);
        expect(trainedWeights[fullName]?.data, fullName).not.toEqual(initialWeights[fullName]?.data);
      }
    }
  });

  it('continue bitwise equal from a checkpoint', async () => {
    const [firstTrainer, secondTrainer] = [await trainer(fields), await trainer(fields)];
    await firstTrainer.step(3);
    await secondTrainer.loadCheckpoint(await firstTrainer.saveCheckpoint());
    expect(await losses(secondTrainer, 2)).toEqual(await losses(firstTrainer, 2));
    expect(await secondTrainer.weights()).toEqual(await firstTrainer.weights());
  });

  it('are in the PyTorch config', async () => {
    const firstTrainer = await trainer(fields);
    expect(JSON.parse((await firstTrainer.toPyTorch()).config)).toEqual(JSON.parse(JSON.stringify(firstTrainer.config)));
  });
});

it('sinks and norms are off by default and on if requested', async () => {
  expect((await trainer({ sinks: true })).config).toMatchObject({ sinks: true, qkNorm: false });
  const plainTrainer = await trainer({});
  expect(plainTrainer.config).toMatchObject({ sinks: false, qkNorm: false });
  expect(Object.keys(await plainTrainer.weights()).filter((name) => /sinks|[qk]_norm/.test(name))).toEqual([]);
});

it.each([
  ['sinks that are not boolean', { sinks: 1 }, 'sinks: 1 is not true or false'],
  ['a norm of queries and keys that is not boolean', { qkNorm: 'rms' }, 'qkNorm: "rms" is not true or false'],
  [
    'forget gates without a causal mask',
    { encoding: 'forgetting', causal: false },
    'causal: expected true; forgetting is defined only for causal attention',
  ],
  [
    'reflections without a causal mask',
    { encoding: 'path', causal: false },
    'causal: expected true; path is defined only for causal attention',
  ],
  [
    'an encoding with steps per token',
    { encoding: 'rope_selective' },
    'encoding: rope_selective needs steps per token, which this transformer does not compute',
  ],
  [
    'gate weights of another width',
    { encoding: { id: 'forgetting', gate_weight: { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] } } },
    'gate_weight: has shape 2 x 3; expected 2 x 16 (heads x embed_dim)',
  ],
  ['a rank out of range', { encoding: { id: 'path', rank: 0 } }, 'rank: 0 is outside 1 to 4096'],
])('rejects %s', async (_, fields, message) => {
  const error = await createTrainer({ ...baseFields, ...fields } as never).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PhasorError);
  expect((error as PhasorError).message).toBe(message);
});
