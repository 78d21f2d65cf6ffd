// The trained model of a figure, which it keeps in its worker while its text changes: one at a time.

import type { Scene } from '../../../charts/scene.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { Action, KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel, ShippedModels } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { strings } from './strings.ts';

/** The models of the page. Throws a SpecError where it has none, or where they cannot be had. */
export async function modelsOf({ models }: KindContext): Promise<ShippedModels> {
  if (!models) throw new SpecError('encoding', `encoding: ${strings.noModels}`);
  return models();
}

/** What `use` makes of the model. */
export async function withModel<Result>(id: string, means: KindContext, use: (trainer: Trainer) => Promise<Result>): Promise<Result> {
  const { kept } = means;
  const models = await modelsOf(means);
  const load = () => models.load(id);
  const trainer = await (kept ? kept.get('model', id, load, (one) => one.dispose()) : load());
  try {
    return await use(trainer);
  } catch (thrown) {
    // Its worker may be lost: the next one tries with another.
    kept?.drop('model');
    throw thrown;
  } finally {
    if (!kept) trainer.dispose();
  }
}

// How far what is shown has been trained: as it was recorded, or here.

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
  readonly spec: ResolvedTrainConfig;
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
