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
  const here = await createTrainer(spec, { variant: 'simd' });
  const expected: number[] = [];
  await here.step(STEPS, { onProgress: ({ loss }) => expected.push(loss) });
  const weights = await here.weights();
  here.dispose();

  await page.goto(`${host.origin}/npm/package.json`);
  const there = await page.evaluate(
    async ({ origin, spec, steps }) => {
      const { createTrainerWorker }: typeof Train = await import(`${origin}/npm/train.js`);
      const trainer = await createTrainerWorker(spec, { variant: 'simd' });
      const losses: number[] = [];
      const report = await trainer.step(steps, { onProgress: ({ loss }) => losses.push(loss) });
      const head = [...(await trainer.weights())['head.weight']!.data];
      const text = { losses, head, step: report.step, variant: trainer.variant, thread: trainer.thread };
      trainer.dispose();
      return text;
    },
    { origin: host.origin, spec, steps: STEPS },
  );
  expect(there).toMatchObject({ step: STEPS, variant: 'simd', thread: 'worker' });
  expect(there.losses.every(Number.isFinite)).toBe(true);
  const mean = (losses: number[]) => losses.reduce((sum, loss) => sum + loss) / losses.length;
  expect(mean(there.losses.slice(-10))).toBeLessThan(mean(there.losses.slice(0, 10)) / 2);
  expect(there.losses).toEqual(expected);
  expect(there.head).toEqual([...weights['head.weight']!.data]);
});

test('a trainer in a worker stops between two steps, continues, and rejects calls after dispose', async ({ page }) => {
  await page.goto(`${host.origin}/npm/package.json`);
  const outcome = await page.evaluate(
    async ({ origin, spec }) => {
      const { createTrainerWorker, PhasorError }: typeof Train = await import(`${origin}/npm/train.js`);
      const trainer = await createTrainerWorker(spec);
      const rejected = (promise: Promise<unknown>) =>
        promise.then(
          () => 'it was not rejected',
          (error: unknown) => (error instanceof PhasorError ? `${error.code}: ${error.message}` : String(error)),
        );
      const controller = new AbortController();
      const stopped = await rejected(
        trainer.step(1000, { signal: controller.signal, onProgress: ({ step }) => step === 3 && controller.abort() }),
      );
      const { step, loss } = await trainer.step(2);
      // The timer of the main thread fires while the worker computes.
      const long = trainer.step(100_000, { signal: AbortSignal.timeout(50) });
      const timed = await rejected(long);
      const before = trainer.globalStep;
      const waiting = rejected(trainer.evaluate({ numSamples: 64 }));
      trainer.dispose();
      trainer.dispose();
      return {
        stopped,
        step,
        loss,
        timed,
        before,
        waiting: await waiting,
        disposed: trainer.disposed,
        later: await rejected(trainer.step()),
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
