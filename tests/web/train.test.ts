// phasor/train: equality with the native program, checkpoints, cancellation, concurrent trainers, workers, and errors.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTrainer, createTrainerWorker, PhasorError } from '../../web/engine/train.node.ts';
import './relaxed-simd.ts';
import { losses, refusalsAre, trainersBy } from './trainers.ts';

const refusalOf = refusalsAre(PhasorError);
const small = { task: 'order', encoding: 'rope', batchSize: 8, seed: 3 } as const;
const [trainer, worker] = [trainersBy(createTrainer), trainersBy(createTrainerWorker)];

/** Losses of `npm run train -- order --encoding rope --steps 10 --every 1 --out FILE`, built with GCC 12 on x86. */
const NATIVE = [
  0.730186469, 0.689714909, 0.688093699, 0.728071917, 0.706793063, 0.701129052, 0.707655421, 0.700978938, 0.721160131, 0.714858223,
];

it.each(['relaxed', 'simd'] as const)('reproduces the first ten steps of the native program (%s)', async (variant) => {
  const one = await trainer({ task: 'order', encoding: 'rope', steps: 10 }, { variant });
  expect(one.variant).toBe(variant);
  const found = await losses(one, 10);
  found.forEach((loss, step) => {
    expect(Math.abs(loss - (NATIVE[step] as number)), `step ${step + 1}`).toBeLessThan(1e-4);
  });
  expect(one.globalStep).toBe(10);
});

it('computes without relaxed SIMD if portable is set', async () => {
  const spec = { ...small, portable: true };
  const [portable, simd] = [await trainer(spec), await trainer(small, { variant: 'simd' })];
  expect(portable.variant).toBe('simd');
  expect(await losses(portable, 3)).toEqual(await losses(simd, 3));
});

it('learns an order task that a model without positions cannot learn', async () => {
  const accuracy = async (encoding: string) => {
    const one = await trainer({ task: 'order', encoding, embedDim: 16, heads: 2, sequenceLength: 8, batchSize: 32, lr: 0.01, steps: 150 });
    await one.step(150);
    return (await one.evaluate({ numSamples: 256 })).lengths[0]!.score;
  };
  expect(await accuracy('rope')).toBeGreaterThan(0.95);
  expect(Math.abs((await accuracy('none')) - 0.5)).toBeLessThan(0.1);
});

describe('continuing training', () => {
  it('from a checkpoint is bitwise equal to not stopping', async () => {
    const [whole, first] = [await trainer(small), await trainer(small)];
    const expected = await losses(whole, 8);
    await first.step(4);
    const saved = await first.saveCheckpoint();
    first.dispose();
    const second = await trainer(small);
    await second.loadCheckpoint(saved);
    expect(second.globalStep).toBe(4);
    expect(await losses(second, 4)).toEqual(expected.slice(4));
    expect(await second.weights()).toEqual(await whole.weights());
    expect(await second.saveCheckpoint()).toEqual(await whole.saveCheckpoint());
  });

  it('after an abort keeps the completed steps', async () => {
    const one = await trainer(small);
    const controller = new AbortController();
    const error = await refusalOf(one.step(100, { signal: controller.signal, onProgress: ({ step }) => step === 3 && controller.abort() }));
    expect(error).toMatchObject({ code: 'cancelled', message: 'step: cancelled after 3 of 100 steps' });
    expect(one.globalStep).toBe(3);
    const other = await trainer(small);
    await other.step(3);
    expect(await losses(one, 2)).toEqual(await losses(other, 2));
  });

  it('after a timeout works on the calling thread, because timers run between steps', async () => {
    const one = await trainer(small);
    expect(await refusalOf(one.step(100_000, { signal: AbortSignal.timeout(50) }))).toMatchObject({ code: 'cancelled' });
    expect((await one.step()).step).toBe(one.globalStep);
  });

  it('after a divergence starts from the last finite weights', async () => {
    const one = await trainer({ ...small, lr: 1000, optimizer: 'sgd', maxGradNorm: 0, warmupSteps: 0, minLrRatio: 1, norm: 'rms_norm' });
    const error = await refusalOf(one.step(200));
    expect(error.message).toMatch(/^step: \d+ has a \w+ that is not finite; the weights of step \d+ are kept/);
    for (const { data } of Object.values(await one.weights())) expect(data.every(Number.isFinite)).toBe(true);
  });
});

it('computes two trainers independently', async () => {
  const alone = await losses(await trainer(small), 4);
  const [one, other] = [await trainer(small), await trainer({ ...small, encoding: 'alibi', seed: 4 })];
  const [both] = await Promise.all([losses(one, 4), losses(other, 4)]);
  expect(both).toEqual(alone);
});

it('computes the same in a worker', async () => {
  const [here, there] = [await trainer(small), await worker(small)];
  expect(there).toMatchObject({ thread: 'worker', variant: here.variant, config: here.config });
  expect(await losses(there, 4)).toEqual(await losses(here, 4));
  expect(await there.evaluate({ lengths: [8, 16], numSamples: 32 })).toEqual(await here.evaluate({ lengths: [8, 16], numSamples: 32 }));
  expect(await there.weights()).toEqual(await here.weights());
  expect(await there.saveCheckpoint()).toEqual(await here.saveCheckpoint());
  const [maps, logits] = [await there.attentionWeights([0, 5, 1]), await there.logits([0, 5, 1])];
  expect(maps.shape).toEqual([2, 4, 3, 3]);
  expect(maps).toEqual(await here.attentionWeights([0, 5, 1]));
  expect(logits).toEqual(await here.logits([0, 5, 1]));
  const controller = new AbortController();
  const stopped = there.step(100_000, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  expect(await refusalOf(stopped)).toMatchObject({ code: 'cancelled' });
  expect((await there.step()).step).toBe(there.globalStep);
});

it('trains on a text, and saves and loads weights', async () => {
  const corpus = readFileSync('public/data/pride-and-prejudice.txt', 'utf8').slice(0, 20_000);
  const spec = { task: 'text', encoding: 't5', corpus, sequenceLength: 16, batchSize: 4 };
  const [one, other] = [await trainer(spec), await trainer({ ...spec, seed: 2 })];
  await one.step(2);
  const tokens = await one.tokens('Mr. Bennet');
  expect(tokens).toHaveLength(10);
  const expected = await one.logits(tokens);
  expect(expected.shape[0]).toBe(10);
  await other.loadWeights(await one.weights());
  expect(await other.logits(tokens)).toEqual(expected);
  const third = await trainer({ ...spec, seed: 3 });
  await third.loadWeights(await one.saveWeights());
  expect(await third.logits(tokens)).toEqual(expected);
  const half = await one.saveWeights({ dtype: 'f16' });
  expect(half.length).toBeLessThan(0.6 * (await one.saveWeights()).length);
  await third.loadWeights(half);
  const near = await third.logits(tokens);
  near.data.forEach((value, at) => {
    expect(Math.abs(value - (expected.data[at] as number))).toBeLessThan(0.02);
  });
});

it('rejects symbols, weights and checkpoints of another text, and can continue', async () => {
  const corpus = readFileSync('public/data/pride-and-prejudice.txt', 'utf8').slice(0, 20_000);
  const spec = { task: 'text', encoding: 'rope', corpus, sequenceLength: 16, batchSize: 4, embedDim: 16, heads: 2 };
  const [one, more, shorter] = [
    await trainer(spec),
    await trainer({ ...spec, corpus: `${corpus}${'\u0436\u0449'.repeat(20)}` }),
    await trainer({ ...spec, corpus: corpus.slice(0, -1000) }),
  ];
  const before = await one.saveCheckpoint();
  const calls: [() => Promise<unknown>, RegExp][] = [
    [() => one.tokens('Mr. \u0436'), /^text: the symbol at index 4 does not occur in the corpus$/],
    [async () => one.loadWeights(await more.weights()), /^weights: embedding\.weight has shape (\d+) x 16; expected (?!\1)\d+ x 16$/],
    [
      async () => one.loadCheckpoint(await shorter.saveCheckpoint()),
      /^checkpoint: belongs to another training run: "data \d+" in the checkpoint, "data \d+" in this trainer$/,
    ],
    [() => one.evaluate({ lengths: [5000] }), /^length: 5000 exceeds 993, the maximum for the held-out part of the corpus$/],
  ];
  for (const [call, message] of calls) expect((await refusalOf(call())).message).toMatch(message);
  expect(await one.saveCheckpoint()).toEqual(before);
  expect((await one.step()).step).toBe(1);
});

it('can be disposed of repeatedly and by Symbol.dispose', async () => {
  const one = await createTrainer(small);
  one.dispose();
  one.dispose();
  expect(one.disposed).toBe(true);
  for (const call of [() => one.step(), () => one.evaluate(), () => one.weights(), () => one.saveCheckpoint(), () => one.logits([1])])
    expect(await refusalOf(call())).toMatchObject({ code: 'invalid_argument', message: 'trainer: is disposed', argument: 'trainer' });
  const other = await createTrainerWorker(small);
  (other as unknown as { [Symbol.dispose](): void })[Symbol.dispose]();
  expect(other.disposed).toBe(true);
  expect(await refusalOf(other.step())).toMatchObject({ message: 'trainer: is disposed' });
});
