// The packaged phasor/train in a page: a trainer in a worker.
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type * as Train from '../../web/engine/train.ts';
import { serve } from './static-server.ts';

// The task: which of two words came first. A model with RoPE learns it in fewer steps, within half a second.
const spec = { task: 'order', encoding: 'rope', embedDim: 16, heads: 2, sequenceLength: 8, batchSize: 32, lr: 0.01, steps: 150, seed: 1 };
const STEPS = 150;

let host: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  host = await serve({ '/npm/': join(process.cwd(), 'dist/npm') });
});
test.afterAll(() => host.close());

test('a trainer in a worker learns, with the losses and weights of Node', async ({ page }) => {
  const { createTrainer }: typeof Train = await import(join(process.cwd(), 'dist/npm/train.node.js'));
  const localTrainer = await createTrainer(spec, { variant: 'simd' });
  const expected: number[] = [];
  await localTrainer.step(STEPS, { onProgress: ({ loss }) => expected.push(loss) });
  const weights = await localTrainer.weights();
  localTrainer.dispose();

  await page.goto(`${host.origin}/npm/package.json`);
  const actual = await page.evaluate(
    async ({ origin, spec, steps }) => {
      const { createTrainerWorker }: typeof Train = await import(`${origin}/npm/train.js`);
      const trainer = await createTrainerWorker(spec, { variant: 'simd' });
      const losses: number[] = [];
      const report = await trainer.step(steps, { onProgress: ({ loss }) => losses.push(loss) });
      const headWeights = [...(await trainer.weights())['head.weight']!.data];
      const text = { losses, head: headWeights, step: report.step, variant: trainer.variant, thread: trainer.thread };
      trainer.dispose();
      return text;
    },
    { origin: host.origin, spec, steps: STEPS },
  );
  expect(actual).toMatchObject({ step: STEPS, variant: 'simd', thread: 'worker' });
  expect(actual.losses.every(Number.isFinite)).toBe(true);
  const mean = (losses: number[]) => losses.reduce((sum, loss) => sum + loss) / losses.length;
  expect(mean(actual.losses.slice(-10))).toBeLessThan(mean(actual.losses.slice(0, 10)) / 2);
  expect(actual.losses).toEqual(expected);
  expect(actual.head).toEqual([...weights['head.weight']!.data]);
});

test('a trainer in a worker stops between two steps, continues, and rejects calls after dispose', async ({ page }) => {
  await page.goto(`${host.origin}/npm/package.json`);
  const outcome = await page.evaluate(
    async ({ origin, spec }) => {
      const { createTrainerWorker, PhasorError }: typeof Train = await import(`${origin}/npm/train.js`);
      const trainer = await createTrainerWorker(spec);
      const rejection = (promise: Promise<unknown>) =>
        promise.then(
          () => 'it was not rejected',
          (error: unknown) => (error instanceof PhasorError ? `${error.code}: ${error.message}` : String(error)),
        );
      const controller = new AbortController();
      const abortError = await rejection(
        trainer.step(1000, { signal: controller.signal, onProgress: ({ step }) => step === 3 && controller.abort() }),
      );
      const { step, loss } = await trainer.step(2);
      // The timer of the main thread fires while the worker computes.
      const longRun = trainer.step(100_000, { signal: AbortSignal.timeout(50) });
      const timeoutError = await rejection(longRun);
      const initialStep = trainer.globalStep;
      const pendingEvaluation = rejection(trainer.evaluate({ numSamples: 64 }));
      trainer.dispose();
      trainer.dispose();
      return {
        stopped: abortError,
        step,
        loss,
        timed: timeoutError,
        before: initialStep,
        waiting: await pendingEvaluation,
        disposed: trainer.disposed,
        later: await rejection(trainer.step()),
      };
    },
    { origin: host.origin, spec },
  );
  expect(outcome.stopped).toBe('cancelled: step: cancelled after 3 of 1000 steps');
  expect(outcome.step).toBe(5);
  expect(outcome.loss).toBeGreaterThan(0);
  expect(outcome.timed).toMatch(/^cancelled: step: cancelled after \d+ of 100000 steps$/);
  expect(outcome.before).toBeGreaterThan(4);
  expect(outcome.waiting).toMatch(/disposed/);
  expect(outcome.disposed).toBe(true);
  expect(outcome.later).toBe('invalid_argument: trainer: is disposed');
});
