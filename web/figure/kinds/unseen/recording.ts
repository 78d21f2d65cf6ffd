// Recorded losses (scripts/train/record-unseen.mjs): RoPE models of several seeds, with each method and no further training.
import type { Tensor } from '../../../engine/index.ts';
import type { MethodId } from './methods.ts';
import recorded from './recorded.json';

interface Recording {
  readonly command: string;
  /** Number of models, with the seeds from 1 on. */
  readonly seeds: number;
  /** Length of the training texts in characters. */
  readonly trained: number;
  readonly passages: number;
  /** Loss in nats of predicting from character frequencies. */
  readonly chance: number;
  readonly lengths: readonly number[];
  /**
   * [length] per method, nats per character of the last 32 of each passage: the mean over the models, and their sample standard deviation.
   */
  readonly loss: { readonly [Id in MethodId]: readonly number[] };
  readonly deviation: { readonly [Id in MethodId]: readonly number[] };
}

export const RECORDED: Recording = recorded;

/** [methods, lengths] */
export const recordedLoss = (methods: readonly MethodId[]): Tensor => ({
  shape: [methods.length, RECORDED.lengths.length],
  data: Float32Array.from(methods.flatMap((id) => RECORDED.loss[id])),
});
