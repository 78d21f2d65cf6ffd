// phasor/train: evaluation at several lengths equals evaluation at each length, can be aborted, and uses one state of the model.

import { describe, expect, it } from 'vitest';
import { createTrainer, createTrainerWorker, type LengthScore, PhasorError } from '../../web/engine/train.node.ts';
import './relaxed-simd.ts';
import { refusalsAre, trainersBy } from './trainers.ts';

const refusalOf = refusalsAre(PhasorError);
const smallSpec = { task: 'order', encoding: 'rope', batchSize: 8, seed: 3 } as const;

const [trainer, worker] = [trainersBy(createTrainer), trainersBy(createTrainerWorker)];

describe.each([
  ['on this thread', trainer],
  ['in a worker', worker],
])('an evaluation %s', (_, make) => {
  const evaluateOptions = { lengths: [8, 16, 24], numSamples: 16 };

  it('returns the same with progress reports, which contain the score of each length', async () => {
    const firstTrainer = await make(smallSpec);
    const expected = await firstTrainer.evaluate(evaluateOptions);
    const reportedScores: LengthScore[] = [];
    expect(await firstTrainer.evaluate({ ...evaluateOptions, onProgress: (score) => reportedScores.push(score) })).toEqual(expected);
    expect(reportedScores).toEqual(expected.lengths);
    expect(await firstTrainer.evaluate({ ...evaluateOptions, signal: new AbortController().signal })).toEqual(expected);
    const singleScores: LengthScore[] = [];
    expect((await firstTrainer.evaluate({ numSamples: 16, onProgress: (score) => singleScores.push(score) })).lengths).toEqual(
      singleScores,
    );
  });

  it('stops between two lengths when aborted, and the trainer can continue', async () => {
    const firstTrainer = await make(smallSpec);
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = ({ length }: LengthScore) => length === 16 && controller.abort();
    expect(await refusalOf(firstTrainer.evaluate({ ...evaluateOptions, signal, onProgress }))).toMatchObject({
      code: 'cancelled',
      message: 'evaluate: cancelled after 2 of 3 lengths',
    });
    expect(await refusalOf(firstTrainer.evaluate({ numSamples: 16, signal }))).toMatchObject({
      code: 'cancelled',
      message: 'evaluate: cancelled after 0 of 1 lengths',
    });
    expect((await firstTrainer.step()).step).toBe(1);
  });

  it('finishes before a step that is requested meanwhile', async () => {
    const [firstTrainer, otherTrainer] = [await make(smallSpec), await make(smallSpec)];
    const evaluation = firstTrainer.evaluate({ ...evaluateOptions, onProgress: () => {} });
    const second = firstTrainer.evaluate({ ...evaluateOptions, onProgress: () => {} });
    const step = firstTrainer.step();
    expect(await evaluation).toEqual(await otherTrainer.evaluate(evaluateOptions));
    expect((await second).step).toBe(0);
    expect((await step).step).toBe(1);
  });

  it('returns extra metrics, also with progress reports, unless they are disabled', async () => {
    const firstTrainer = await make({ task: 'geometry_1d', encoding: 'learned' });
    const expected = await firstTrainer.evaluate({ lengths: [32, 64], numSamples: 1 });
    expect(Object.keys(expected.metrics)).toContain('cosine_1');
    expect(await firstTrainer.evaluate({ lengths: [32, 64], numSamples: 1, onProgress: () => {} })).toEqual(expected);
    expect((await firstTrainer.evaluate({ lengths: [32, 64], numSamples: 1, extraMetrics: false, onProgress: () => {} })).metrics).toEqual(
      {},
    );
  });
});
