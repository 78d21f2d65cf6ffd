// Evaluates the shipped models for the task `text` at several text lengths.

import { entryAt } from '../../../charts/entry-at.ts';
import type { EncodingConfig } from '../../../engine/types/encodings.ts';
import type { TrainConfig } from '../../../engine/types/train-config.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { KindContext } from '../../contract/kind.ts';
import type { ShippedModels } from '../../runtime/shipped-models.ts';
import { countWorkers } from '../../runtime/train-lines.ts';
import { type Recalibration, recalibrateModel, type WITHOUT_ROPE } from './recalibrated.ts';

export interface EvaluatedLine {
  readonly model: string;
  getEncoding(length: number): EncodingConfig | typeof WITHOUT_ROPE;
  /** The additional training without RoPE before the evaluation, if any. */
  readonly recalibration: Recalibration | undefined;
}

export interface EvaluationOptions {
  readonly lines: readonly EvaluatedLine[];
  readonly lengths: readonly number[];
  readonly passagesPerLength: number;
  readonly corpus: string;
  readonly models: ShippedModels;
  readonly createTrainer: (config: TrainConfig) => Promise<Trainer>;
  readonly context: Pick<KindContext, 'signal' | 'pace'>;
  progress(fraction: number): void;
  /**
   * @param loss [line][length], NaN where not evaluated yet
   * @param completedCount the number of completed evaluations
   */
  onChange(loss: readonly (readonly number[])[], completedCount: number): void;
}

/**
 * Evaluates all lines at the shortest length first, then at longer ones, so that all curves grow together.
 * @returns the results when the evaluation ends or the user stops it
 */
export async function evaluateShippedModels(
  options: EvaluationOptions,
): Promise<{ readonly loss: readonly (readonly number[])[]; readonly completedCount: number }> {
  const { lines, lengths, passagesPerLength, corpus, models, createTrainer, context, progress, onChange } = options;
  const { signal, pace } = context;
  const loss = lines.map(() => lengths.map(() => Number.NaN));
  let completedCount = 0;
  onChange(loss, completedCount);

  const loadedModels = new Map<string, Promise<{ spec: TrainConfig; weights: Uint8Array<ArrayBuffer> }>>();
  const loadModelWeights = (id: string) => {
    const loadedModel = loadedModels.get(id);
    if (loadedModel) return loadedModel;
    const modelPromise = models.load(id).then(async (trainer) => {
      const { spec } = await models.find(id);
      const weights = await trainer.saveWeights();
      trainer.dispose();
      return { spec, weights };
    });
    loadedModels.set(id, modelPromise);
    return modelPromise;
  };
  const recalibratedModels = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();
  const loadLineWeights = async (line: number) => {
    const { model, recalibration } = lines[line] as EvaluatedLine;
    const { spec, weights } = await loadModelWeights(model);
    if (!recalibration) return { spec, weights };
    const recalibratedModel = recalibratedModels.get(line) ?? recalibrateModel(createTrainer, { ...spec, corpus }, weights, recalibration);
    recalibratedModels.set(line, recalibratedModel);
    return { spec, weights: await recalibratedModel };
  };
  const evaluateLength = async (line: number, lengthIndex: number): Promise<void> => {
    const { getEncoding } = lines[line] as EvaluatedLine;
    const length = entryAt(lengths, lengthIndex);
    const { spec, weights } = await loadLineWeights(line);
    const trainer = await createTrainer({ ...spec, corpus, encoding: getEncoding(length) as TrainConfig['encoding'] });
    try {
      await trainer.loadWeights(weights);
      const { lengths: scores } = await trainer.evaluate({ lengths: [length], numSamples: passagesPerLength, extraMetrics: false });
      (loss[line] as number[])[lengthIndex] = scores[0]?.loss ?? Number.NaN;
    } finally {
      trainer.dispose();
    }
  };
  const evaluations = lengths.flatMap((_, lengthIndex) => lines.map((_, line) => [line, lengthIndex] as const)).values();
  const evaluateInTurn = async (): Promise<void> => {
    for (const [line, lengthIndex] of evaluations) {
      await pace?.waitWhilePaused(signal);
      if (pace?.isStopped.peek()) return;
      signal?.throwIfAborted();
      await evaluateLength(line, lengthIndex);
      completedCount += 1;
      progress(completedCount / (lines.length * lengths.length));
      onChange(
        loss.map((row) => [...row]),
        completedCount,
      );
    }
  };
  await Promise.all(Array.from({ length: countWorkers(lines.length) }, evaluateInTurn));
  return { loss, completedCount };
}
