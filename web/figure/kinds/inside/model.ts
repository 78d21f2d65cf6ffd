// The trained model that a figure shows. While the text changes, at most one model stays loaded in its worker.

import type { Scene } from '../../../charts/scene.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { Action, KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel, ShippedModels } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { strings } from './strings.ts';

/** Returns the page's models. Rejects with a SpecError if the page has none, or if they cannot be loaded. */
export async function requireModels({ models }: KindContext): Promise<ShippedModels> {
  if (!models) throw new SpecError('encoding', `encoding: ${strings.noModels}`);
  return models();
}

/** Calls `callback` with the trainer of the model `id` and returns its result. */
export async function withModel<Result>(
  id: string,
  context: KindContext,
  callback: (trainer: Trainer) => Promise<Result>,
): Promise<Result> {
  const { cache } = context;
  const models = await requireModels(context);
  const loadModel = () => models.load(id);
  const trainer = await (cache ? cache.get('model', id, loadModel, (trainer) => trainer.dispose()) : loadModel());
  try {
    return await callback(trainer);
  } catch (thrown) {
    // The worker may have terminated. The next call starts a new one.
    cache?.drop('model');
    throw thrown;
  } finally {
    if (!cache) trainer.dispose();
  }
}

/** Shows the snapshots of a live run, as a picture below the scene and as actions. */
export interface Track {
  /** Height of the track, px. */
  readonly height: number;
  addBelow(scene: Scene, training: Training, width: number): Scene;
  /**
   * Actions that show other snapshots, or return to the recording. With `hasHeads`, the bracket keys select heads
   * instead.
   */
  actions(training: Training, spec: Spec, hasHeads: boolean): readonly Action[];
}

/** The source of the displayed model: a recording, or training on this page. */
export interface Training {
  readonly origin: 'recorded' | 'live';
  /** The shipped model. A model trained on this page has the same settings. */
  readonly model: ShippedModel;
  readonly config: ResolvedTrainConfig;
  /** Whether this page could verify the hash of the shipped weights. */
  readonly isHashVerified: boolean;
  /** The steps of all existing snapshots, and the index of the displayed snapshot. */
  readonly steps: readonly number[];
  readonly snapshotIndex: number;
  readonly isRunning: boolean;
  readonly isPageHidden: boolean;
  readonly canTrain: boolean;
  readonly track?: Track;
}

export const trackHeight = ({ track }: Pick<Training, 'track'>): number => track?.height ?? 0;

export const withTrack = (scene: Scene, training: Training, width: number): Scene =>
  training.track?.addBelow(scene, training, width) ?? scene;

export const getDisplayedStep = ({ steps, snapshotIndex }: Pick<Training, 'steps' | 'snapshotIndex'>): number => steps[snapshotIndex] ?? 0;

export const snapshotAt = ({ origin, steps }: Pick<Training, 'origin' | 'steps'>, snapshot: number | undefined): number | undefined =>
  origin === 'live' && snapshot !== undefined && Number.isInteger(snapshot) && snapshot >= 0 && snapshot < steps.length
    ? snapshot
    : undefined;
