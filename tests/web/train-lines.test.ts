// What is said of the time that training here takes: of trainers on a clock of their own.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Trainer } from '../../web/engine/types/training.ts';
import { type LinesState, trainLines } from '../../web/figure/runtime/train-lines.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => void vi.useRealTimers());

const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Trains one line whose steps take so long (ms), and whose measurements do. @returns all that it said, and how long it took, s */
async function trained(step: number, measure: number, asked: number) {
  const createTrainer = async () =>
    ({
      step: async (count: number) => {
        await after(count * step);
        return { loss: 1 };
      },
      dispose: () => {},
    }) as unknown as Trainer;
  const said: LinesState[] = [];
  const began = { at: 0 };
  const training = trainLines({
    specs: [{ task: 'order' }],
    seeds: [1],
    steps: 400,
    seconds: asked,
    points: 4,
    createTrainer,
    means: {},
    measure: () => after(measure),
    progress: () => {},
    changed: (state) => {
      if (said.length === 0) began.at = performance.now();
      said.push(state);
    },
  });
  await vi.runAllTimersAsync();
  await training;
  return { said, took: (performance.now() - began.at) / 1000 };
}

it('is the half second’s measurement times the steps at first, also where that is longer than was asked for', async () => {
  const { said, took } = await trained(200, 0, 10);
  // Fewer than 160 steps show nothing.
  expect(said[0]).toMatchObject({ total: 160, seconds: 32 });
  expect(took).toBeCloseTo(32, 1);
  const fast = await trained(10, 0, 10);
  expect(fast.said[0]).toMatchObject({ total: 400, seconds: 4 });
});

it('has the measurements in it once there was one', async () => {
  const { said, took } = await trained(10, 2000, 10);
  expect(said[0]?.seconds).toBeCloseTo(4, 1);
  expect(said.at(-1)?.seconds).toBeCloseTo(took, 1);
  expect(took).toBeCloseTo(12, 1);
});
