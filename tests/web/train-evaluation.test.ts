// phasor/train: evaluation at several lengths equals evaluation at each length, can be aborted, and uses one state of the model.

import { describe, expect, it } from 'vitest';
import { createTrainer, createTrainerWorker, type LengthScore, PhasorError } from '../../web/engine/train.node.ts';
import './relaxed-simd.ts';
import { refusalsAre, trainersBy } from './trainers.ts';

const refusalOf = refusalsAre(PhasorError);
const small = { task: 'order', encoding: 'rope', batchSize: 8, seed: 3 } as const;

const [trainer, worker] = [trainersBy(createTrainer), trainersBy(createTrainerWorker)];

describe.each([
  ['on this thread', trainer],
  ['in a worker', worker],
])('an evaluation %s', (_, make) => {
  const requested = { lengths: [8, 16, 24], numSamples: 16 };

  it('returns the same with progress reports, which contain the score of each length', async () => {
    const one = await make(small);
    const whole = await one.evaluate(requested);
    const heard: LengthScore[] = [];
    expect(await one.evaluate({ ...requested, onProgress: (score) => heard.push(score) })).toEqual(whole);
    expect(heard).toEqual(whole.lengths);
    expect(await one.evaluate({ ...requested, signal: new AbortController().signal })).toEqual(whole);
    const alone: LengthScore[] = [];
    expect((await one.evaluate({ numSamples: 16, onProgress: (score) => alone.push(score) })).lengths).toEqual(alone);
  });

  it('stops between two lengths when aborted, and the trainer can continue', async () => {
    const one = await make(small);
    const controller = new AbortController();
    const { signal } = controller;
    const onProgress = ({ length }: LengthScore) => length === 16 && controller.abort();
    expect(await refusalOf(one.evaluate({ ...requested, signal, onProgress }))).toMatchObject({
      code: 'cancelled',
      message: 'evaluate: cancelled after 2 of 3 lengths',
    });
    expect(await refusalOf(one.evaluate({ numSamples: 16, signal }))).toMatchObject({
      code: 'cancelled',
      message: 'evaluate: cancelled after 0 of 1 lengths',
    });
    expect((await one.step()).step).toBe(1);
  });

  it('finishes before a step that is requested meanwhile', async () => {
    const [one, other] = [await make(small), await make(small)];
    const evaluation = one.evaluate({ ...requested, onProgress: () => {} });
    const second = one.evaluate({ ...requested, onProgress: () => {} });
    const step = one.step();
    expect(await evaluation).toEqual(await other.evaluate(requested));
    expect((await second).step).toBe(0);
    expect((await step).step).toBe(1);
  });

  it('returns extra metrics, also with progress reports, unless they are disabled', async () => {
    const one = await make({ task: 'geometry_1d', encoding: 'learned' });
    const whole = await one.evaluate({ lengths: [32, 64], numSamples: 1 });
    expect(Object.keys(whole.metrics)).toContain('cosine_1');
    expect(await one.evaluate({ lengths: [32, 64], numSamples: 1, onProgress: () => {} })).toEqual(whole);
    expect((await one.evaluate({ lengths: [32, 64], numSamples: 1, extraMetrics: false, onProgress: () => {} })).metrics).toEqual({});
  });
});
