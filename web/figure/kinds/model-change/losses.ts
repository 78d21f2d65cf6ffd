// Measures the loss at the end of passages for each curve and text length, and after removing positions from one layer at
// a time. Measures everything on one passage before the next, so that estimates of all values are available early.

import { PhasorError } from '../../../engine/errors.ts';
import type { PositionChange } from '../../../engine/types/model-changes.ts';
import type { Model } from '../../../engine/types/model-runs.ts';
import { computeMean } from '../../compute/seeds.ts';
import type { KindContext, LanguageModel } from '../../contract/context.ts';
import { createPassageReader, passageCount } from './passages.ts';

/** Number of tokens at the end of a passage over which the loss is averaged. */
export const TARGET_TOKENS = 32;
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
  readonly passages: number;
  readonly completedPassages: number;
  readonly isRunning: boolean;
}

export interface Line {
  readonly key: string;
  changes(tokens: number): readonly PositionChange[];
}

interface MeasurementOptions {
  readonly languageModel: LanguageModel;
  readonly novel: string;
  readonly lines: readonly Line[];
  readonly maxLength: number;
  readonly context: Pick<KindContext, 'signal' | 'pace' | 'progress'>;
  onStateChange(state: LossMeasurement): void;
}

/**
 * Returns the mean loss over the last TARGET_TOKENS tokens. If `canFail` is set, returns NaN when the model rejects the
 * change or the length.
 */
async function measureLoss({ model }: LanguageModel, ids: readonly number[], changes: readonly PositionChange[], canFail: boolean) {
  try {
    const { logProbabilities = [] } = await model.run(ids, { outputs: ['loss'], logitsToKeep: TARGET_TOKENS + 1, changes });
    return -computeMean(logProbabilities.slice(-TARGET_TOKENS));
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
  const passages = passageCount(info.parameters);
  const passageSource = createPassageReader(novel, languageModel, passages, maxLength);
  const cachedLosses = lossesByModel.get(languageModel.model) ?? new Map<string, number>();
  lossesByModel.set(languageModel.model, cachedLosses);
  /** [lines][lengths][passages]. */
  const losses = lines.map(() => lengths.map((): number[] => []));
  /**
   * [1 + layers][passages]: increase in the loss without positions, in row 0 for all layers and in row 1 + i for layer i
   * only.
   */
  const costs = Array.from({ length: info.layers + 1 }, (): number[] => []);
  let completedPassages = 0;
  // Averages over the passages that are fully measured, or over the first passage until it is.
  const meanOfCompletedPassages = (measured: readonly number[]): number =>
    measured.length > 0 ? computeMean(measured.slice(0, Math.max(1, completedPassages))) : Number.NaN;
  const createState = (isRunning: boolean): LossMeasurement => ({
    lengths,
    loss: losses.map((row) => row.map(meanOfCompletedPassages)),
    layerCosts: costs.slice(1).map(meanOfCompletedPassages),
    totalCost: meanOfCompletedPassages(costs[0] as number[]),
    layerTextLength,
    passages,
    completedPassages,
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
  let completedRuns = 0;
  const countRun = (): void => {
    completedRuns += 1;
    progress?.(completedRuns / (runsPerPassage * passages));
  };
  for (let passageIndex = 0; passageIndex < passages && !isStopped(); passageIndex += 1) {
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
    const measureLossWithout = (name: string, place: { readonly layers?: readonly number[] } | undefined): Promise<number> =>
      getOrMeasureLoss(`${name} ${passageIndex} ${layerTextLength} ${maxLength}`, async () =>
        measureLoss(languageModel, await readIds(layerTextLength), place ? [{ kind: 'none', ...place }] : [], name.startsWith('layer')),
      );
    for (const [row, cost] of costs.entries()) {
      if (isStopped()) break;
      const changedLoss = row === 0 ? measureLossWithout('none', {}) : measureLossWithout(`layer ${row - 1}`, { layers: [row - 1] });
      cost.push((await changedLoss) - (await measureLossWithout('trained', undefined)));
      countRun();
    }
    completedPassages += isStopped() ? 0 : 1;
  }
  return { ...createState(false), passage: await passageSource.passage(0) };
}
