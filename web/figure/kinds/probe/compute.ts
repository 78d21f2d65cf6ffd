// Errors of probes: of models by layer, and of the causal one among its first tokens.

import { entryAt, lastOf } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { Source } from '../../compute/training-source.ts';

export const MODELS = ['trained', 'untrained', 'unmasked'] as const;
export type Model = (typeof MODELS)[number];

export interface Numbers extends Source {
  /** First tokens among which positions are guessed, ascending; the last is all of a text. */
  readonly lengths: readonly number[];
  /** [models, layers]: tokens, among all of a text; NaN where nothing has been measured. */
  readonly errors: Tensor;
  /** [layers, lengths]: tokens, of the causal model that is trained. */
  readonly byLength: Tensor;
  /** [lengths]: tokens, of guessing the middle. */
  readonly chance: Tensor;
  /** The last step after which the model was probed. */
  readonly done: number;
  /** The training config of the model. */
  readonly spec: ResolvedTrainConfig;
  readonly isRunning: boolean;
  /** The page trains, but does not have the novel that these models read: a page that is one file, or of the package. */
  readonly lacksNovel: boolean;
  readonly canTrain: boolean;
}

export const layersOf = ({ errors }: Pick<Numbers, 'errors'>): number => errors.shape[1] ?? 0;

export const errorOf = ({ errors }: Pick<Numbers, 'errors'>, model: number, layer: number): number =>
  entryAt(errors.data, model * layersOf({ errors }) + layer);

/** Of guessing, among all tokens of a text. */
export const chanceOf = ({ chance }: Pick<Numbers, 'chance'>): number => lastOf(chance.data);
