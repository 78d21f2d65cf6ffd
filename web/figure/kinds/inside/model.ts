// Loads the trained model that a figure shows. The cache keeps at most one model loaded while the text changes.

import type { Scene } from '../../../charts/scene.ts';
import type { ResolvedTrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { Action, KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel, ShippedModels } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { strings } from './strings.ts';

/** Returns the page's trained models. Rejects with a SpecError if the page includes none. */
export async function requireModels({ models }: KindContext): Promise<ShippedModels> {
  if (!models) throw new SpecError('encoding', `encoding: ${strings.noModels}`);
  return models();
}

/** Loads the model `id`, calls `callback` with its trainer, and returns the result. */
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
    // The worker may have terminated, so the next call loads the model in a new one.
    cache?.drop('model');
    throw thrown;
  } finally {
    if (!cache) trainer.dispose();
  }
}

/** A timeline of the snapshots of live training: a row of dots below the figure, and actions. */
export interface Track {
  /** In px. */
  readonly height: number;
  addBelow(scene: Scene, training: Training, width: number): Scene;
  /**
   * Returns actions that show other snapshots, or the recorded model. If `hasHeads` is set, the keys [ and ] are not
   * used, because they select heads.
   */
  actions(training: Training, spec: Spec, hasHeads: boolean): readonly Action[];
}

/** The source and training state of the displayed model, which was recorded or is trained on this page. */
export interface Training {
  readonly origin: 'recorded' | 'live';
  /** The shipped model. Training on this page uses its settings. */
  readonly model: ShippedModel;
  readonly config: ResolvedTrainConfig;
  /** Whether this page could verify the hash of the shipped weights. */
  readonly isHashVerified: boolean;
  /** The training step of each snapshot taken so far. */
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

export const getCursorSnapshot = (
  { origin, steps }: Pick<Training, 'origin' | 'steps'>,
  snapshot: number | undefined,
): number | undefined =>
  origin === 'live' && snapshot !== undefined && Number.isInteger(snapshot) && snapshot >= 0 && snapshot < steps.length
    ? snapshot
    : undefined;
