// Estimates of the duration of training in the browser, with a fake clock.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Trainer } from '../../web/engine/types/trainer.ts';
import { type LinesState, trainLines } from '../../web/figure/runtime/train-lines.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const waitFor = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Trains one line with these durations of steps and measurements (ms). @returns the reported states, and the duration in s */
async function runLine(step: number, measure: number, timeLimit: number) {
  const createTrainer = async () =>
    ({
      step: async (count: number) => {
        await waitFor(count * step);
        return { loss: 1 };
      },
      dispose: () => {},
    }) as unknown as Trainer;
  const states: LinesState[] = [];
  const startTime = { at: 0 };
  const training = trainLines({
    configs: [{ task: 'order' }],
    seeds: [1],
    maxSteps: 400,
    maxSeconds: timeLimit,
    pointCount: 4,
    createTrainer,
    context: {},
    measure: () => waitFor(measure),
    reportProgress: () => {},
    onStateChange: (state) => {
      if (states.length === 0) startTime.at = performance.now();
      states.push(state);
    },
  });
  await vi.runAllTimersAsync();
  await training;
  return { states, seconds: (performance.now() - startTime.at) / 1000 };
}

it('the first estimate extrapolates the measured speed to all steps, even beyond the requested time', async () => {
  const { states, seconds } = await runLine(200, 0, 10);
  // Training has at least 160 steps.
  expect(states[0]).toMatchObject({ totalSteps: 160, estimatedSeconds: 32 });
  expect(seconds).toBeCloseTo(32, 1);
  const fastRun = await runLine(10, 0, 10);
  expect(fastRun.states[0]).toMatchObject({ totalSteps: 400, estimatedSeconds: 4 });
});

it('later estimates include the duration of measurements', async () => {
  const { states, seconds } = await runLine(10, 2000, 10);
  expect(states[0]?.estimatedSeconds).toBeCloseTo(4, 1);
  expect(states.at(-1)?.estimatedSeconds).toBeCloseTo(seconds, 1);
  expect(seconds).toBeCloseTo(12, 1);
});

it('no more lines train at once than there are processors, and none gets ahead', async () => {
  vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
  const completedSteps = [0, 0, 0, 0];
  const [runningCounts, gaps] = [[0], [0]];
  let maximum = 0;
  const createTrainer = async ({ encoding }: { encoding?: unknown }) =>
    ({
      step: async (count: number) => {
        runningCounts[0] = (runningCounts[0] as number) + 1;
        maximum = Math.max(maximum, runningCounts[0]);
        await waitFor(10 * count);
        runningCounts[0] -= 1;
        completedSteps[Number(encoding)] = (completedSteps[Number(encoding)] as number) + count;
        gaps.push(Math.max(...completedSteps) - Math.min(...completedSteps));
        return { loss: 1 };
      },
      dispose: () => {},
    }) as unknown as Trainer;
  const configs = completedSteps.map((_, line) => ({ task: 'order', encoding: line as never }));
  const points: number[] = [];
  const training = trainLines({
    configs,
    seeds: [1],
    maxSteps: 400,
    maxSeconds: 10,
    pointCount: 4,
    createTrainer,
    context: {},
    measure: async ({ line }) => void points.push(line),
    reportProgress: () => {},
    onStateChange: ({ estimatedSeconds }) => {
      if (points.length === 0) gaps.length = 0;
      if (points.length === 16) expect(estimatedSeconds).toBeCloseTo((4 * 400 * 0.01) / 2, 1);
    },
  });
  await vi.runAllTimersAsync();
  await training;
  expect(maximum).toBe(2);
  // The steps that measured the speed of each line count too.
  expect(Math.max(...gaps)).toBeLessThanOrEqual(10 + 12);
  expect(points).toHaveLength(16);
  expect(points.slice(0, 4).sort()).toEqual([0, 1, 2, 3]);
});
