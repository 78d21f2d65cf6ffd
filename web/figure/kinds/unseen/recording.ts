// Recorded losses of RoPE models trained with several seeds (scripts/train/record-unseen.mjs). The methods are applied
// without further training.
import type { Tensor } from '../../../engine/index.ts';
import type { MethodId } from './methods.ts';
import recorded from './recorded.json';

interface Recording {
  readonly command: string;
  /** Number of models, trained with seeds 1, 2, and so on. */
  readonly seeds: number;
  /** Length of the training texts in characters. */
  readonly trained: number;
  readonly passages: number;
  /** Loss of predictions from character frequencies alone, nats per character. */
  readonly chance: number;
  readonly lengths: readonly number[];
  /**
   * For each method, [lengths]: mean loss of the models over the last 32 characters of each passage, nats per
   * character.
   */
  readonly loss: { readonly [Id in MethodId]: readonly number[] };
  /** For each method, [lengths]: sample standard deviation of the loss over the models. */
  readonly deviation: { readonly [Id in MethodId]: readonly number[] };
}

export const RECORDING: Recording = recorded;

/** [methods, lengths] */
export const recordedLoss = (methods: readonly MethodId[]): Tensor => ({
  shape: [methods.length, RECORDING.lengths.length],
  data: Float32Array.from(methods.flatMap((id) => RECORDING.loss[id])),
});
