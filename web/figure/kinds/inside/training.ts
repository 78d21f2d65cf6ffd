// How far what is shown has been trained: as it was recorded, or here.
import type { FullTrainSpec } from '../../../engine/types/training.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import { SNAPSHOTS } from './snapshots.ts';

export interface Training {
  readonly origin: 'recorded' | 'live';
  /** As it ships; the same choices are trained here. */
  readonly model: ShippedModel;
  /** What the model is trained with, all fields. */
  readonly spec: FullTrainSpec;
  /** Whether this page could compare the hash of the weights that ship. */
  readonly isHashed: boolean;
  /** The steps of all snapshots that there are, and which is shown. */
  readonly steps: readonly number[];
  readonly at: number;
  readonly isRunning: boolean;
  readonly isHidden: boolean;
  readonly canTrain: boolean;
}

/** Steps that what is shown has been trained for. */
export const stepShown = ({ steps, at }: Pick<Training, 'steps' | 'at'>): number => steps[at] ?? 0;

/** Whether a run may go on. */
export const isCut = ({ origin, steps }: Pick<Training, 'origin' | 'steps'>): boolean => origin === 'live' && steps.length <= SNAPSHOTS;

/** The snapshot that is pointed at, of a run that is live. */
export const snapshotAt = ({ origin, steps }: Pick<Training, 'origin' | 'steps'>, snapshot: number | undefined): number | undefined =>
  origin === 'live' && snapshot !== undefined && Number.isInteger(snapshot) && snapshot >= 0 && snapshot < steps.length
    ? snapshot
    : undefined;
