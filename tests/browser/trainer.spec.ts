// phasor/train in a page, as the package ships it: a trainer in a worker learns, with the numbers of Node, may be stopped between two steps, and ends.
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type * as Train from '../../web/engine/train.ts';
import { serve } from './static-server.ts';

// Which of two words came first, in half a second: a model with RoPE learns it in fewer steps.
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
  const said = await page.evaluate(
    async ({ origin, spec }) => {
      const { createTrainerWorker, PhasorError }: typeof Train = await import(`${origin}/npm/train.js`);
      const trainer = await createTrainerWorker(spec);
      const rejected = (promise: Promise<unknown>) =>
        promise.then(
          () => 'it was not refused',
          (error: unknown) => (error instanceof PhasorError ? `${error.code}: ${error.message}` : String(error)),
        );
      const controller = new AbortController();
      const stopped = await rejected(
        trainer.step(1000, { signal: controller.signal, onProgress: ({ step }) => step === 3 && controller.abort() }),
      );
      const { step, loss } = await trainer.step(2);
      // The page's own thread had its turn while the worker computed.
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
  expect(said.stopped).toBe('cancelled: step: cancelled after 3 of 1000 steps');
  expect(said.step).toBe(5);
  expect(said.loss).toBeGreaterThan(0);
  expect(said.timed).toMatch(/^cancelled: step: cancelled after \d+ of 100000 steps$/);
  expect(said.before).toBeGreaterThan(4);
  expect(said.waiting).toMatch(/disposed/);
  expect(said.disposed).toBe(true);
  expect(said.later).toBe('invalid_argument: trainer: is disposed');
});
