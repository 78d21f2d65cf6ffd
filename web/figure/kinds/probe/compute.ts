// Probe errors by model and layer, and also by text length for the trained causal model.

import { entryAt, lastEntry } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { CurveSource } from '../../compute/training-source.ts';

export const MODELS = ['trained', 'untrained', 'unmasked'] as const;
export type ModelId = (typeof MODELS)[number];

export interface Results extends CurveSource {
  /** Text lengths in tokens, in ascending order. */
  readonly lengths: readonly number[];
  /** [models, layers]: mean error in tokens on texts of the greatest length. NaN until measured. */
  readonly errors: Tensor;
  /** [layers, lengths]: mean error in tokens of the trained causal model on texts of each length. */
  readonly errorsByLength: Tensor;
  /** [lengths]: mean error in tokens of always predicting the middle position. */
  readonly chance: Tensor;
  readonly probedStep: number;
  readonly spec: ResolvedTrainConfig;
  readonly isRunning: boolean;
  /** Whether the page can train but lacks the novel, as in single-file pages and pages that use the npm package. */
  readonly isNovelMissing: boolean;
  readonly canTrain: boolean;
}

export const countLayers = ({ errors }: Pick<Results, 'errors'>): number => errors.shape[1] ?? 0;

export const getError = ({ errors }: Pick<Results, 'errors'>, model: number, layer: number): number =>
  entryAt(errors.data, model * countLayers({ errors }) + layer);

export const getChanceError = ({ chance }: Pick<Results, 'chance'>): number => lastEntry(chance.data);
