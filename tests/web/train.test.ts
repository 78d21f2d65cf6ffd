// phasor/train: equality with the native program, checkpoints, cancellation, concurrent trainers, workers, and errors.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTrainer, createTrainerWorker, PhasorError } from '../../web/engine/train.node.ts';
import './relaxed-simd.ts';
import { losses, refusalsAre, trainersBy } from './trainers.ts';

const refusalOf = refusalsAre(PhasorError);
const smallSpec = { task: 'order', encoding: 'rope', batchSize: 8, seed: 3 } as const;
const [trainer, worker] = [trainersBy(createTrainer), trainersBy(createTrainerWorker)];

/** Losses of `npm run train -- order --encoding rope --steps 10 --every 1 --out FILE`, built with GCC 12 on x86. */
const NATIVE = [
  0.730186469, 0.689714909, 0.688093699, 0.728071917, 0.706793063, 0.701129052, 0.707655421, 0.700978938, 0.721160131, 0.714858223,
];

it.each(['relaxed', 'simd'] as const)('reproduces the first ten steps of the native program (%s)', async (variant) => {
  const firstTrainer = await trainer({ task: 'order', encoding: 'rope', steps: 10 }, { variant });
  expect(firstTrainer.variant).toBe(variant);
  const lossValues = await losses(firstTrainer, 10);
  lossValues.forEach((loss, step) => {
    expect(Math.abs(loss - (NATIVE[step] as number)), `step ${step + 1}`).toBeLessThan(1e-4);
  });
  expect(firstTrainer.globalStep).toBe(10);
});

it('computes without relaxed SIMD if portable is set', async () => {
  const spec = { ...smallSpec, portable: true };
  const [portable, simd] = [await trainer(spec), await trainer(smallSpec, { variant: 'simd' })];
  expect(portable.variant).toBe('simd');
  expect(await losses(portable, 3)).toEqual(await losses(simd, 3));
});

it('learns an order task that a model without positions cannot learn', async () => {
  const accuracy = async (encoding: string) => {
    const firstTrainer = await trainer({
      task: 'order',
      encoding,
      embedDim: 16,
      heads: 2,
      sequenceLength: 8,
      batchSize: 32,
      lr: 0.01,
      steps: 150,
    });
    await firstTrainer.step(150);
    return (await firstTrainer.evaluate({ numSamples: 256 })).lengths[0]!.score;
  };
  expect(await accuracy('rope')).toBeGreaterThan(0.95);
  expect(Math.abs((await accuracy('none')) - 0.5)).toBeLessThan(0.1);
});

describe('continuing training', () => {
  it('from a checkpoint is bitwise equal to not stopping', async () => {
    const [continuousTrainer, first] = [await trainer(smallSpec), await trainer(smallSpec)];
    const expected = await losses(continuousTrainer, 8);
    await first.step(4);
    const checkpoint = await first.saveCheckpoint();
    first.dispose();
    const second = await trainer(smallSpec);
    await second.loadCheckpoint(checkpoint);
    expect(second.globalStep).toBe(4);
    expect(await losses(second, 4)).toEqual(expected.slice(4));
    expect(await second.weights()).toEqual(await continuousTrainer.weights());
    expect(await second.saveCheckpoint()).toEqual(await continuousTrainer.saveCheckpoint());
  });

  it('after an abort keeps the completed steps', async () => {
    const firstTrainer = await trainer(smallSpec);
    const controller = new AbortController();
    const error = await refusalOf(
      firstTrainer.step(100, { signal: controller.signal, onProgress: ({ step }) => step === 3 && controller.abort() }),
    );
    expect(error).toMatchObject({ code: 'cancelled', message: 'step: cancelled after 3 of 100 steps' });
    expect(firstTrainer.globalStep).toBe(3);
    const otherTrainer = await trainer(smallSpec);
    await otherTrainer.step(3);
    expect(await losses(firstTrainer, 2)).toEqual(await losses(otherTrainer, 2));
  });

  it('after a timeout works on the calling thread, because timers run between steps', async () => {
    const firstTrainer = await trainer(smallSpec);
    expect(await refusalOf(firstTrainer.step(100_000, { signal: AbortSignal.timeout(50) }))).toMatchObject({ code: 'cancelled' });
    expect((await firstTrainer.step()).step).toBe(firstTrainer.globalStep);
  });

  it('after a divergence starts from the last finite weights', async () => {
    const firstTrainer = await trainer({
      ...smallSpec,
      lr: 1000,
      optimizer: 'sgd',
      maxGradNorm: 0,
      warmupSteps: 0,
      minLrRatio: 1,
      norm: 'rms_norm',
    });
    const error = await refusalOf(firstTrainer.step(200));
    expect(error.message).toMatch(/^step: \d+ has a \w+ that is not finite; the weights of step \d+ are kept/);
    for (const { data } of Object.values(await firstTrainer.weights())) expect(data.every(Number.isFinite)).toBe(true);
  });
});

it('computes two trainers independently', async () => {
  const expectedLosses = await losses(await trainer(smallSpec), 4);
  const [firstTrainer, otherTrainer] = [await trainer(smallSpec), await trainer({ ...smallSpec, encoding: 'alibi', seed: 4 })];
  const [interleavedLosses] = await Promise.all([losses(firstTrainer, 4), losses(otherTrainer, 4)]);
  expect(interleavedLosses).toEqual(expectedLosses);
});

it('computes the same in a worker', async () => {
  const [localTrainer, workerTrainer] = [await trainer(smallSpec), await worker(smallSpec)];
  expect(workerTrainer).toMatchObject({ thread: 'worker', variant: localTrainer.variant, config: localTrainer.config });
  expect(await losses(workerTrainer, 4)).toEqual(await losses(localTrainer, 4));
  expect(await workerTrainer.evaluate({ lengths: [8, 16], numSamples: 32 })).toEqual(
    await localTrainer.evaluate({ lengths: [8, 16], numSamples: 32 }),
  );
  expect(await workerTrainer.weights()).toEqual(await localTrainer.weights());
  expect(await workerTrainer.saveCheckpoint()).toEqual(await localTrainer.saveCheckpoint());
  const [maps, logits] = [await workerTrainer.attentionWeights([0, 5, 1]), await workerTrainer.logits([0, 5, 1])];
  expect(maps.shape).toEqual([2, 4, 3, 3]);
  expect(maps).toEqual(await localTrainer.attentionWeights([0, 5, 1]));
  expect(logits).toEqual(await localTrainer.logits([0, 5, 1]));
  const controller = new AbortController();
  const abortedStep = workerTrainer.step(100_000, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  expect(await refusalOf(abortedStep)).toMatchObject({ code: 'cancelled' });
  expect((await workerTrainer.step()).step).toBe(workerTrainer.globalStep);
});

it('trains on a text, and saves and loads weights', async () => {
  const corpus = readFileSync('public/data/pride-and-prejudice.txt', 'utf8').slice(0, 20_000);
  const spec = { task: 'text', encoding: 't5', corpus, sequenceLength: 16, batchSize: 4 };
  const [firstTrainer, otherTrainer] = [await trainer(spec), await trainer({ ...spec, seed: 2 })];
  await firstTrainer.step(2);
  const tokens = await firstTrainer.tokens('Mr. Bennet');
  expect(tokens).toHaveLength(10);
  const expected = await firstTrainer.logits(tokens);
  expect(expected.shape[0]).toBe(10);
  await otherTrainer.loadWeights(await firstTrainer.weights());
  expect(await otherTrainer.logits(tokens)).toEqual(expected);
  const thirdTrainer = await trainer({ ...spec, seed: 3 });
  await thirdTrainer.loadWeights(await firstTrainer.saveWeights());
  expect(await thirdTrainer.logits(tokens)).toEqual(expected);
  const half = await firstTrainer.saveWeights({ dtype: 'f16' });
  expect(half.length).toBeLessThan(0.6 * (await firstTrainer.saveWeights()).length);
  await thirdTrainer.loadWeights(half);
  const thirdLogits = await thirdTrainer.logits(tokens);
  thirdLogits.data.forEach((value, index) => {
    expect(Math.abs(value - (expected.data[index] as number))).toBeLessThan(0.02);
  });
});

it('rejects symbols, weights and checkpoints of another text, and can continue', async () => {
  const corpus = readFileSync('public/data/pride-and-prejudice.txt', 'utf8').slice(0, 20_000);
  const spec = { task: 'text', encoding: 'rope', corpus, sequenceLength: 16, batchSize: 4, embedDim: 16, heads: 2 };
  const [firstTrainer, longTrainer, shortTrainer] = [
    await trainer(spec),
    await trainer({ ...spec, corpus: `${corpus}${'\u0436\u0449'.repeat(20)}` }),
    await trainer({ ...spec, corpus: corpus.slice(0, -1000) }),
  ];
  const initialCheckpoint = await firstTrainer.saveCheckpoint();
  const calls: [() => Promise<unknown>, RegExp][] = [
    [() => firstTrainer.tokens('Mr. \u0436'), /^text: the symbol at index 4 does not occur in the corpus$/],
    [
      async () => firstTrainer.loadWeights(await longTrainer.weights()),
      /^weights: embedding\.weight has shape (\d+) x 16; expected (?!\1)\d+ x 16$/,
    ],
    [
      async () => firstTrainer.loadCheckpoint(await shortTrainer.saveCheckpoint()),
      /^checkpoint: belongs to another training run: "data \d+" in the checkpoint, "data \d+" in this trainer$/,
    ],
    [() => firstTrainer.evaluate({ lengths: [5000] }), /^length: 5000 exceeds 993, the maximum for the held-out part of the corpus$/],
  ];
  for (const [call, message] of calls) expect((await refusalOf(call())).message).toMatch(message);
  expect(await firstTrainer.saveCheckpoint()).toEqual(initialCheckpoint);
  expect((await firstTrainer.step()).step).toBe(1);
});

it('can be disposed of repeatedly and by Symbol.dispose', async () => {
  const firstTrainer = await createTrainer(smallSpec);
  firstTrainer.dispose();
  firstTrainer.dispose();
  expect(firstTrainer.disposed).toBe(true);
  for (const call of [
    () => firstTrainer.step(),
    () => firstTrainer.evaluate(),
    () => firstTrainer.weights(),
    () => firstTrainer.saveCheckpoint(),
    () => firstTrainer.logits([1]),
  ])
    expect(await refusalOf(call())).toMatchObject({ code: 'invalid_argument', message: 'trainer: is disposed', argument: 'trainer' });
  const otherTrainer = await createTrainerWorker(smallSpec);
  (otherTrainer as unknown as { [Symbol.dispose](): void })[Symbol.dispose]();
  expect(otherTrainer.disposed).toBe(true);
  expect(await refusalOf(otherTrainer.step())).toMatchObject({ message: 'trainer: is disposed' });
});
