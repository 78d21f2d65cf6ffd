// The trained model of a figure, which stays in its worker while the text changes: at most one model.

import type { Scene } from '../../../charts/scene.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { Action, KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel, ShippedModels } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { strings } from './strings.ts';

/** The models of the page. Throws a SpecError if there are none, or if they cannot be loaded. */
export async function modelsOf({ models }: KindContext): Promise<ShippedModels> {
  if (!models) throw new SpecError('encoding', `encoding: ${strings.noModels}`);
  return models();
}

/** The result of `use` for the model. */
export async function withModel<Result>(id: string, means: KindContext, use: (trainer: Trainer) => Promise<Result>): Promise<Result> {
  const { cache } = means;
  const models = await modelsOf(means);
  const load = () => models.load(id);
  const trainer = await (cache ? cache.get('model', id, load, (one) => one.dispose()) : load());
  try {
    return await use(trainer);
  } catch (thrown) {
    // The worker may have been lost: the next call starts another.
    cache?.drop('model');
    throw thrown;
  } finally {
    if (!cache) trainer.dispose();
  }
}

// The source of the displayed model: a recording, or training in this page.

/** The snapshots of a run, as a picture below the displayed one and as actions. Loaded with a live run. */
export interface Track {
  /** Height of the track, px. */
  readonly height: number;
  below(scene: Scene, training: Training, width: number): Scene;
  /** Buttons that show other snapshots, or the recording again. `hasHeads`: bracket keys select another head. */
  actions(training: Training, spec: Spec, hasHeads: boolean): readonly Action[];
}

export interface Training {
  readonly origin: 'recorded' | 'live';
  /** The shipped model, whose settings are also those of the training on this page. */
  readonly model: ShippedModel;
  /** The config of the training, with all fields. */
  readonly spec: ResolvedTrainConfig;
  /** Whether this page could verify the hash of the shipped weights. */
  readonly isHashed: boolean;
  /** The steps of all existing snapshots, and the displayed one. */
  readonly steps: readonly number[];
  readonly at: number;
  readonly isRunning: boolean;
  readonly isHidden: boolean;
  readonly canTrain: boolean;
  /** The track of a live run. */
  readonly track?: Track;
}

export const trackHeight = ({ track }: Pick<Training, 'track'>): number => track?.height ?? 0;

/** Adds the snapshots of a live run below its scene; returns any other scene unchanged. */
export const withTrack = (scene: Scene, training: Training, width: number): Scene => training.track?.below(scene, training, width) ?? scene;

/** Number of training steps of the displayed model. */
export const stepShown = ({ steps, at }: Pick<Training, 'steps' | 'at'>): number => steps[at] ?? 0;

/** The snapshot of a live run at the cursor. */
export const snapshotAt = ({ origin, steps }: Pick<Training, 'origin' | 'steps'>, snapshot: number | undefined): number | undefined =>
  origin === 'live' && snapshot !== undefined && Number.isInteger(snapshot) && snapshot >= 0 && snapshot < steps.length
    ? snapshot
    : undefined;
