// Measures the loss at the end of passages for each curve and text length, and after removing positions from one layer at
// a time. Measures everything on one passage before the next, so that estimates of all values are available early.

import { PhasorError } from '../../../engine/errors.ts';
import type { PositionChange } from '../../../engine/types/model-changes.ts';
import type { Model } from '../../../engine/types/model-runs.ts';
import { computeMean } from '../../compute/seeds.ts';
import type { KindContext, LanguageModel } from '../../contract/context.ts';
import { choosePassageCount, createPassageReader } from './passages.ts';

/** Number of tokens at the end of a passage over which the loss is averaged. */
export const TARGET_TOKEN_COUNT = 32;
const TEXT_LENGTHS = [48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048];
/** Maximum text length, in tokens, for measuring the loss without positions in one layer. */
const MAX_LAYER_TEXT_LENGTH = 128;
/** Minimum time between two calls of onStateChange, ms. */
const MIN_UPDATE_INTERVAL = 300;

export interface LossMeasurement {
  readonly lengths: readonly number[];
  /** [lines][lengths]: nats per token. NaN if not yet measured, or if the model rejects the length. */
  readonly loss: readonly (readonly number[])[];
  /** [layers]: increase in the loss when positions are removed from this layer. NaN if the layer has no positions. */
  readonly layerCosts: readonly number[];
  /** Increase in the loss when positions are removed from all layers. */
  readonly totalCost: number;
  readonly layerTextLength: number;
  readonly passageCount: number;
  readonly completedPassageCount: number;
  readonly isRunning: boolean;
}

export interface LossLine {
  readonly key: string;
  changes(tokens: number): readonly PositionChange[];
}

interface MeasurementOptions {
  readonly languageModel: LanguageModel;
  readonly novel: string;
  readonly lines: readonly LossLine[];
  readonly maxLength: number;
  readonly context: Pick<KindContext, 'signal' | 'pace' | 'progress'>;
  onStateChange(state: LossMeasurement): void;
}

/**
 * Returns the mean loss over the last TARGET_TOKEN_COUNT tokens. If `canFail` is set, returns NaN when the model rejects the
 * change or the length.
 */
async function measureLoss({ model }: LanguageModel, ids: readonly number[], changes: readonly PositionChange[], canFail: boolean) {
  try {
    const { logProbabilities = [] } = await model.run(ids, { outputs: ['loss'], logitsToKeep: TARGET_TOKEN_COUNT + 1, changes });
    return -computeMean(logProbabilities.slice(-TARGET_TOKEN_COUNT));
  } catch (thrown) {
    if (canFail && PhasorError.from(thrown).code === 'invalid_argument') return Number.NaN;
    throw thrown;
  }
}

/** Caches measured losses by model for all figures. Keys consist of the curve or layer, the passage and the lengths. */
const lossesByModel = new WeakMap<Model, Map<string, number>>();

export async function measureLosses(
  options: MeasurementOptions,
): Promise<LossMeasurement & { passage(tokens: number): readonly number[] }> {
  const { languageModel, novel, lines, maxLength, context, onStateChange } = options;
  const { signal, pace, progress } = context;
  const { info } = languageModel.model;
  const lengths = [...TEXT_LENGTHS.filter((length) => length < maxLength), maxLength];
  const layerTextLength = Math.min(MAX_LAYER_TEXT_LENGTH, maxLength, languageModel.contextLength ?? MAX_LAYER_TEXT_LENGTH);
  const passageCount = choosePassageCount(info.parameters);
  const passageSource = createPassageReader(novel, languageModel, passageCount, maxLength);
  const cachedLosses = lossesByModel.get(languageModel.model) ?? new Map<string, number>();
  lossesByModel.set(languageModel.model, cachedLosses);
  /** [lines][lengths][passages]. */
  const losses = lines.map(() => lengths.map((): number[] => []));
  /**
   * [1 + layers][passages]: increase in the loss without positions, in row 0 for all layers and in row 1 + i for layer i
   * only.
   */
  const costs = Array.from({ length: info.layers + 1 }, (): number[] => []);
  let completedPassageCount = 0;
  // Averages over the passages that are fully measured, or over the first passage until it is.
  const computeMeanOfCompletedPassages = (measured: readonly number[]): number =>
    measured.length > 0 ? computeMean(measured.slice(0, Math.max(1, completedPassageCount))) : Number.NaN;
  const createState = (isRunning: boolean): LossMeasurement => ({
    lengths,
    loss: losses.map((row) => row.map(computeMeanOfCompletedPassages)),
    layerCosts: costs.slice(1).map(computeMeanOfCompletedPassages),
    totalCost: computeMeanOfCompletedPassages(costs[0] as number[]),
    layerTextLength,
    passageCount,
    completedPassageCount,
    isRunning,
  });
  let lastUpdateTime = performance.now();
  const getOrMeasureLoss = async (key: string, measure: () => Promise<number>): Promise<number> => {
    const cached = cachedLosses.get(key);
    if (cached !== undefined) return cached;
    await pace?.waitWhilePaused(signal);
    signal?.throwIfAborted();
    const loss = await measure();
    cachedLosses.set(key, loss);
    if (performance.now() - lastUpdateTime > MIN_UPDATE_INTERVAL) {
      lastUpdateTime = performance.now();
      onStateChange(createState(true));
    }
    return loss;
  };
  const isStopped = (): boolean => pace?.isStopped.peek() ?? false;
  const runsPerPassage = lengths.length * lines.length + costs.length;
  let completedRunCount = 0;
  const countRun = (): void => {
    completedRunCount += 1;
    progress?.(completedRunCount / (runsPerPassage * passageCount));
  };
  for (let passageIndex = 0; passageIndex < passageCount && !isStopped(); passageIndex += 1) {
    let passage: ReturnType<typeof passageSource.passage> | undefined;
    const readIds = async (tokens: number): Promise<readonly number[]> => {
      passage ??= passageSource.passage(passageIndex);
      return (await passage)(tokens);
    };
    for (const [index, length] of lengths.entries())
      for (const [line, { key, changes }] of lines.entries()) {
        if (isStopped()) break;
        const isTooLong = length > (languageModel.contextLength ?? Number.POSITIVE_INFINITY);
        const loss = await getOrMeasureLoss(`${key} ${passageIndex} ${length} ${maxLength}`, async () =>
          measureLoss(languageModel, await readIds(length), changes(length), isTooLong),
        );
        losses[line]?.[index]?.push(loss);
        countRun();
      }
    const measureLossWithout = (name: string, scope: { readonly layers?: readonly number[] } | undefined): Promise<number> =>
      getOrMeasureLoss(`${name} ${passageIndex} ${layerTextLength} ${maxLength}`, async () =>
        measureLoss(languageModel, await readIds(layerTextLength), scope ? [{ kind: 'none', ...scope }] : [], name.startsWith('layer')),
      );
    for (const [row, cost] of costs.entries()) {
      if (isStopped()) break;
      const changedLoss = row === 0 ? measureLossWithout('none', {}) : measureLossWithout(`layer ${row - 1}`, { layers: [row - 1] });
      cost.push((await changedLoss) - (await measureLossWithout('trained', undefined)));
      countRun();
    }
    completedPassageCount += isStopped() ? 0 : 1;
  }
  return { ...createState(false), passage: await passageSource.passage(0) };
}
