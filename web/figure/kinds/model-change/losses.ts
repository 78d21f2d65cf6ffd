// The loss of the last tokens of passages by the length of the preceding text, for each line, and without positions in one layer. Passages are
// evaluated one at a time, so that the picture is complete after the first one.

import { PhasorError } from '../../../engine/errors.ts';
import type { PositionChange } from '../../../engine/types/model-changes.ts';
import type { Model } from '../../../engine/types/model-runs.ts';
import { mean } from '../../compute/seeds.ts';
import type { KindContext, LanguageModel } from '../../contract/context.ts';
import { passageReader, passagesFor } from './passages.ts';

/** Number of last tokens whose loss is measured, the same tokens for every length. */
export const TARGETS = 32;
const LENGTHS = [48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048];
/** Maximum length at which layers are evaluated without positions. */
const LAYERS_LENGTH = 128;
/** The interval between pictures during a measurement, ms. */
const PICTURE_INTERVAL = 300;

export interface LossMeasurement {
  readonly lengths: readonly number[];
  /** [lines][lengths]: nats per token; NaN beyond the positions of a model, and until it is measured. */
  readonly loss: readonly (readonly number[])[];
  /** The increase in the loss at `layersAt` tokens without positions in one layer, [layers]; NaN if the layer has no positions. */
  readonly layerCost: readonly number[];
  /** The increase in the loss if no layer has positions. */
  readonly totalCost: number;
  readonly layersAt: number;
  readonly passages: number;
  readonly done: number;
  readonly isRunning: boolean;
}

export interface Line {
  /** The key of the results in the cache. */
  readonly key: string;
  changes(tokens: number): readonly PositionChange[];
}

interface Options {
  readonly opened: LanguageModel;
  readonly novel: string;
  readonly lines: readonly Line[];
  readonly longest: number;
  readonly context: Pick<KindContext, 'signal' | 'pace' | 'progress'>;
  changed(state: LossMeasurement): void;
}

/** The loss of the last tokens; NaN if `mayFail` and the model rejects the change or the length. */
async function lossOf({ model }: LanguageModel, ids: readonly number[], changes: readonly PositionChange[], mayFail: boolean) {
  try {
    const { logProbabilities = [] } = await model.run(ids, { outputs: ['loss'], logitsToKeep: TARGETS + 1, changes });
    return -mean(logProbabilities.slice(-TARGETS));
  } catch (thrown) {
    if (mayFail && PhasorError.from(thrown).code === 'invalid_argument') return Number.NaN;
    throw thrown;
  }
}

/** Cached losses by model, and by change, passage and lengths. All figures of a model share them. */
const losses = new WeakMap<Model, Map<string, number>>();

export async function measureLosses(options: Options): Promise<LossMeasurement & { passage(tokens: number): readonly number[] }> {
  const { opened, novel, lines, longest, context, changed } = options;
  const { signal, pace, progress } = context;
  const { info } = opened.model;
  const lengths = [...LENGTHS.filter((length) => length < longest), longest];
  const layersAt = Math.min(LAYERS_LENGTH, longest, opened.contextLength ?? LAYERS_LENGTH);
  const passages = passagesFor(info.parameters);
  const reader = passageReader(novel, opened, passages, longest);
  const cachedLosses = losses.get(opened.model) ?? new Map<string, number>();
  losses.set(opened.model, cachedLosses);
  /** Losses [lines][lengths][passages], and costs [all layers, then each layer][passages]. */
  const values = lines.map(() => lengths.map((): number[] => []));
  const costs = Array.from({ length: info.layers + 1 }, (): number[] => []);
  let done = 0;
  // The mean over the passages that every line has completed.
  const meanOfCompleted = (read: readonly number[]): number => (read.length > 0 ? mean(read.slice(0, Math.max(1, done))) : Number.NaN);
  const stateOf = (isRunning: boolean): LossMeasurement => ({
    lengths,
    loss: values.map((row) => row.map(meanOfCompleted)),
    layerCost: costs.slice(1).map(meanOfCompleted),
    totalCost: meanOfCompleted(costs[0] as number[]),
    layersAt,
    passages,
    done,
    isRunning,
  });
  let shownAt = performance.now();
  const cachedLoss = async (key: string, make: () => Promise<number>): Promise<number> => {
    const cached = cachedLosses.get(key);
    if (cached !== undefined) return cached;
    await pace?.pass(signal);
    signal?.throwIfAborted();
    const loss = await make();
    cachedLosses.set(key, loss);
    if (performance.now() - shownAt > PICTURE_INTERVAL) {
      shownAt = performance.now();
      changed(stateOf(true));
    }
    return loss;
  };
  const isStopped = (): boolean => pace?.isStopped.peek() ?? false;
  const perPassage = lengths.length * lines.length + costs.length;
  let runs = 0;
  const countRun = (): void => {
    runs += 1;
    progress?.(runs / (perPassage * passages));
  };
  for (let at = 0; at < passages && !isStopped(); at += 1) {
    let read: ReturnType<typeof reader.passage> | undefined;
    const idsOf = async (tokens: number): Promise<readonly number[]> => {
      read ??= reader.passage(at);
      return (await read)(tokens);
    };
    for (const [index, length] of lengths.entries())
      for (const [line, { key, changes }] of lines.entries()) {
        if (isStopped()) break;
        const isBeyond = length > (opened.contextLength ?? Number.POSITIVE_INFINITY);
        const loss = await cachedLoss(`${key} ${at} ${length} ${longest}`, async () =>
          lossOf(opened, await idsOf(length), changes(length), isBeyond),
        );
        values[line]?.[index]?.push(loss);
        countRun();
      }
    const lossWithout = (name: string, place: { readonly layers?: readonly number[] } | undefined): Promise<number> =>
      cachedLoss(`${name} ${at} ${layersAt} ${longest}`, async () =>
        lossOf(opened, await idsOf(layersAt), place ? [{ kind: 'none', ...place }] : [], name.startsWith('layer')),
      );
    for (const [row, cost] of costs.entries()) {
      if (isStopped()) break;
      const without = row === 0 ? lossWithout('none', {}) : lossWithout(`layer ${row - 1}`, { layers: [row - 1] });
      cost.push((await without) - (await lossWithout('trained', undefined)));
      countRun();
    }
    done += isStopped() ? 0 : 1;
  }
  return { ...stateOf(false), passage: await reader.passage(0) };
}
