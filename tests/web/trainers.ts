// Helpers for tests of phasor/train: trainers that are disposed of after the tests of a file, losses of steps, and errors.
import { afterAll, expect } from 'vitest';
import type * as Train from '../../web/engine/train.node.ts';

/** Creates trainers with `create`, and disposes of them after the tests of the file. */
export function trainersBy<Options>(
  create: (spec: Train.TrainConfig, options?: Options) => Promise<Train.Trainer>,
): (spec: Train.TrainConfig, options?: Options) => Promise<Train.Trainer> {
  const open: Train.Trainer[] = [];
  afterAll(() => {
    for (const one of open) one.dispose();
  });
  return async (spec, options) => {
    const created = await create(spec, options);
    open.push(created);
    return created;
  };
}

export async function losses(trainer: Train.Trainer, count: number): Promise<number[]> {
  const all: number[] = [];
  await trainer.step(count, { onProgress: ({ loss }) => all.push(loss) });
  return all;
}

/** The error of a promise, which must be of this class. */
export const refusalsAre =
  <Refusal>(refusal: new (...provided: never[]) => Refusal) =>
  async (promise: Promise<unknown>): Promise<Refusal> => {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(refusal);
    return error as Refusal;
  };
