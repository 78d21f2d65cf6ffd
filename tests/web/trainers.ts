// Helpers for tests of phasor/train: trainers that are disposed of after the tests of a file, losses of steps, and errors.
import { afterAll, expect } from 'vitest';
import type * as Train from '../../web/engine/train.node.ts';

/** Creates trainers with `create`, and disposes of them after the tests of the file. */
export function trainersBy<Options>(
  create: (spec: Train.TrainConfig, options?: Options) => Promise<Train.Trainer>,
): (spec: Train.TrainConfig, options?: Options) => Promise<Train.Trainer> {
  const openTrainers: Train.Trainer[] = [];
  afterAll(() => {
    for (const trainer of openTrainers) trainer.dispose();
  });
  return async (spec, options) => {
    const created = await create(spec, options);
    openTrainers.push(created);
    return created;
  };
}

export async function losses(trainer: Train.Trainer, count: number): Promise<number[]> {
  const lossValues: number[] = [];
  await trainer.step(count, { onProgress: ({ loss }) => lossValues.push(loss) });
  return lossValues;
}

/** The error of a promise, which must be of this class. */
export const refusalsAre =
  <Refusal>(refusal: new (...args: never[]) => Refusal) =>
  async (promise: Promise<unknown>): Promise<Refusal> => {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(refusal);
    return error as Refusal;
  };
