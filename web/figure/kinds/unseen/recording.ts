// Losses that were recorded (scripts/train/record-unseen.mjs): models of RoPE from several seeds, read by each method without further training.
import type { Tensor } from '../../../engine/index.ts';
import type { MethodId } from './methods.ts';
import recorded from './recorded.json';

interface Recording {
  readonly command: string;
  /** How many models, of the seeds from 1 on. */
  readonly seeds: number;
  /** Characters. */
  readonly trained: number;
  readonly passages: number;
  /** Nats, of who knows only how often each character comes. */
  readonly chance: number;
  readonly lengths: readonly number[];
  /** [length] of each method, nats per character of the last 32 of each passage: the mean over the models, and their sample deviation. */
  readonly loss: { readonly [Id in MethodId]: readonly number[] };
  readonly deviation: { readonly [Id in MethodId]: readonly number[] };
}

export const RECORDED: Recording = recorded;

/** [methods, lengths] */
export const recordedLoss = (methods: readonly MethodId[]): Tensor => ({
  shape: [methods.length, RECORDED.lengths.length],
  data: Float32Array.from(methods.flatMap((id) => RECORDED.loss[id])),
});
