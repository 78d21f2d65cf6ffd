// Probe errors by model and layer, and for the trained causal model also by text length.

import { entryAt, lastEntry } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { CurveSource } from '../../compute/training-source.ts';

export const MODELS = ['trained', 'untrained', 'unmasked'] as const;
export type ModelId = (typeof MODELS)[number];

export interface Numbers extends CurveSource {
  /** Lengths of text prefixes, ascending; the last is the length of the whole text. */
  readonly lengths: readonly number[];
  /** [models, layers]: error over all positions of a text, in tokens; NaN before a measurement. */
  readonly errors: Tensor;
  /** [layers, lengths]: error of the trained causal model over the first tokens of a text, in tokens. */
  readonly errorsByLength: Tensor;
  /** [lengths]: error of always predicting the middle position, in tokens. */
  readonly chance: Tensor;
  /** The training step of the latest probe. */
  readonly probedStep: number;
  readonly spec: ResolvedTrainConfig;
  readonly isRunning: boolean;
  /** Whether the page can train but has no novel, as in single-file pages and pages that use the npm package. */
  readonly isNovelMissing: boolean;
  readonly canTrain: boolean;
}

export const layerCount = ({ errors }: Pick<Numbers, 'errors'>): number => errors.shape[1] ?? 0;

export const errorOf = ({ errors }: Pick<Numbers, 'errors'>, model: number, layer: number): number =>
  entryAt(errors.data, model * layerCount({ errors }) + layer);

/** The error of guessing over all positions of a text. */
export const chanceOf = ({ chance }: Pick<Numbers, 'chance'>): number => lastEntry(chance.data);
