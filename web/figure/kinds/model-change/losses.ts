// The loss of the last tokens of passages by the length of the preceding text, for each line, and without positions in one layer. Passages
// are evaluated one after another, so that the picture is complete after the first.

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
const LAYERS_AT = 128;
/** The interval between pictures of a running measurement, ms. */
const EVERY = 300;

export interface Measured {
  readonly lengths: readonly number[];
  /** [lines][lengths]: nats per token; NaN beyond the positions of a model, and until it is measured. */
  readonly loss: readonly (readonly number[])[];
  /** [layers]: the increase of the loss at `layersAt` tokens without positions in this layer alone; NaN for a layer that has none. */
  readonly layerCost: readonly number[];
  /** The increase of the loss without positions in any layer. */
  readonly wholeCost: number;
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
  changed(now: Measured): void;
}

/** A change that a layer does not support, or a text beyond the positions of a model, has no loss. */
async function lossOf({ model }: LanguageModel, ids: readonly number[], changes: readonly PositionChange[], mayFail: boolean) {
  try {
    const { logProbabilities = [] } = await model.run(ids, { outputs: ['loss'], logitsToKeep: TARGETS + 1, changes });
    return -mean(logProbabilities.slice(-TARGETS));
  } catch (thrown) {
    if (mayFail && PhasorError.from(thrown).code === 'invalid_argument') return Number.NaN;
    throw thrown;
  }
}

/** Cached losses by model, and by passage and change: figures of one model share them, whatever their other fields. */
const losses = new WeakMap<Model, Map<string, number>>();

export async function measureLosses(options: Options): Promise<Measured & { passage(tokens: number): readonly number[] }> {
  const { opened, novel, lines, longest, context, changed } = options;
  const { signal, pace, progress } = context;
  const { info } = opened.model;
  const lengths = [...LENGTHS.filter((length) => length < longest), longest];
  const layersAt = Math.min(LAYERS_AT, longest, opened.contextLength ?? LAYERS_AT);
  const passages = passagesFor(info.parameters);
  const reader = passageReader(novel, opened, passages, longest);
  const memory = losses.get(opened.model) ?? new Map<string, number>();
  losses.set(opened.model, memory);
  /** [lines][lengths][passages] and [all layers, then each][passages]. */
  const values = lines.map(() => lengths.map((): number[] => []));
  const costs = Array.from({ length: info.layers + 1 }, (): number[] => []);
  let done = 0;
  // The mean over the passages that every line has completed.
  const averaged = (read: readonly number[]): number => (read.length > 0 ? mean(read.slice(0, Math.max(1, done))) : Number.NaN);
  const now = (isRunning: boolean): Measured => ({
    lengths,
    loss: values.map((row) => row.map(averaged)),
    layerCost: costs.slice(1).map(averaged),
    wholeCost: averaged(costs[0] as number[]),
    layersAt,
    passages,
    done,
    isRunning,
  });
  let shownAt = performance.now();
  const measured = async (key: string, make: () => Promise<number>): Promise<number> => {
    const found = memory.get(key);
    if (found !== undefined) return found;
    await pace?.pass(signal);
    signal?.throwIfAborted();
    const loss = await make();
    memory.set(key, loss);
    if (performance.now() - shownAt > EVERY) {
      shownAt = performance.now();
      changed(now(true));
    }
    return loss;
  };
  const isStopped = (): boolean => pace?.isStopped.peek() ?? false;
  const perPassage = lengths.length * lines.length + costs.length;
  let runs = 0;
  const counted = (): void => {
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
        const loss = await measured(`${key} ${at} ${length} ${longest}`, async () =>
          lossOf(opened, await idsOf(length), changes(length), isBeyond),
        );
        values[line]?.[index]?.push(loss);
        counted();
      }
    const atLayers = (name: string, place: { readonly layers?: readonly number[] } | undefined): Promise<number> =>
      measured(`${name} ${at} ${layersAt} ${longest}`, async () =>
        lossOf(opened, await idsOf(layersAt), place ? [{ kind: 'none', ...place }] : [], name.startsWith('layer')),
      );
    for (const [row, cost] of costs.entries()) {
      if (isStopped()) break;
      const without = row === 0 ? atLayers('none', {}) : atLayers(`layer ${row - 1}`, { layers: [row - 1] });
      cost.push((await without) - (await atLayers('trained', undefined)));
      counted();
    }
    done += isStopped() ? 0 : 1;
  }
  return { ...now(false), passage: await reader.passage(0) };
}
