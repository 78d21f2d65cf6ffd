// How far what is shown has been trained: as it was recorded, or here.

import type { Scene } from '../../../charts/scene.ts';
import type { FullTrainSpec } from '../../../engine/types/train-spec.ts';
import type { Action } from '../../contract/kind.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';

/** The snapshots of a run, as a picture below what one of them shows and as actions. It comes with a run that is live. */
export interface Track {
  /** The height that it needs, px. */
  readonly height: number;
  below(scene: Scene, training: Training, width: number): Scene;
  /** How a reader goes through them, and from this run to another. `hasHeads`: brackets go through heads. */
  actions(training: Training, spec: Spec, hasHeads: boolean): readonly Action[];
}

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
  /** Of a run that is live. */
  readonly track?: Track;
}

export const trackHeight = ({ track }: Pick<Training, 'track'>): number => track?.height ?? 0;

/** A scene of a run that is live with its snapshots below it; any other as it is. */
export const withTrack = (scene: Scene, training: Training, width: number): Scene => training.track?.below(scene, training, width) ?? scene;

/** Steps that what is shown has been trained for. */
export const stepShown = ({ steps, at }: Pick<Training, 'steps' | 'at'>): number => steps[at] ?? 0;

/** The snapshot that is pointed at, of a run that is live. */
export const snapshotAt = ({ origin, steps }: Pick<Training, 'origin' | 'steps'>, snapshot: number | undefined): number | undefined =>
  origin === 'live' && snapshot !== undefined && Number.isInteger(snapshot) && snapshot >= 0 && snapshot < steps.length
    ? snapshot
    : undefined;
