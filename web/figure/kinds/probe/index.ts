import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Tensor } from '../../../engine/index.ts';
import { createTrainingActions } from '../../compute/training-actions.ts';
import { withMissingTextReason } from '../../compute/training-source.ts';
import { choice, count, type SpecOf } from '../../contract/fields.ts';
import { type Cursor, defineKind, type KindContext, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { countLayers, getChanceError, getError, MODELS, type Results } from './compute.ts';
import { modelName, probeScene } from './scene.ts';
import { strings } from './strings.ts';

/** The proof passes if the probe's error is at most this fraction of the error of guessing. */
const TOLERANCE = 0.95;

const fields = {
  seed: count(1, 0, 2 ** 32 - 1),
  run: choice('recorded', 'live'),
};
export type Spec = SpecOf<typeof fields>;

/** Converts rows to a [rows, columns] tensor. Shorter rows are padded with NaN. */
const toTensor = (rows: readonly (readonly number[])[], columns: number): Tensor => ({
  shape: [rows.length, columns],
  data: Float32Array.from(
    { length: rows.length * columns },
    (_, index) => rows[Math.floor(index / columns)]?.[index % columns] ?? Number.NaN,
  ),
});

async function trainLive(
  { seed }: Spec,
  { createTrainer, corpus, signal, pace, progress, partial }: KindContext,
  initialResults: Results,
): Promise<Results> {
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  if (!corpus) throw new SpecError('run', `run: ${strings.noNovel}`);
  const [{ trainAndProbe: probe }, text] = await Promise.all([import('./live.ts'), corpus()]);
  const layers = countLayers(initialResults);
  const createResults = (
    { totalSteps, estimatedSeconds, probedStep, errors, errorsByLength, isHidden }: Awaited<ReturnType<typeof probe>>,
    isRunning: boolean,
  ): Results => ({
    ...initialResults,
    ...{ total: totalSteps, estimatedSeconds, probedStep, isHidden, isRunning },
    errors: toTensor(errors, layers),
    errorsByLength: toTensor(
      Array.from({ length: layers }, (_, layer) => errorsByLength.map((row) => row[layer] ?? Number.NaN)),
      initialResults.lengths.length,
    ),
    spec: { ...initialResults.spec, steps: totalSteps },
  });
  const finalState = await probe({
    corpus: text,
    seed,
    steps: initialResults.total,
    lengths: initialResults.lengths,
    createTrainer,
    context: { signal, pace },
    reportProgress: (fraction) => progress?.(fraction),
    onStateChange: (state) => partial?.(createResults(state, true)),
  });
  return createResults(finalState, false);
}

const tokensText = (value: number): string => formatNumber(value);

export const kind = defineKind({
  id: 'probe',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: strings.labels,
  help: strings.help,
  unlinkedFields: ['seed'],
  trainable: ({ run }) => (run === 'live' ? import('../../surface/paced.ts') : undefined),
  aspect: 0.4,
  async compute(spec, context): Promise<Results> {
    const { getRecording } = await import('./recording.ts');
    const recording = getRecording(spec.run === 'live' ? 1 : spec.seed);
    if (!recording) throw new SpecError('seed', `seed: ${strings.notRecorded}`);
    const startResults: Results = {
      ...recording,
      spec: { ...recording.spec, seed: spec.seed },
      origin: spec.run,
      seeds: [spec.seed],
      isRunning: false,
      isHidden: false,
      isSequential: false,
      isNovelMissing: context.createTrainer !== undefined && context.corpus === undefined,
      canTrain: context.createTrainer !== undefined && context.corpus !== undefined,
    };
    return spec.run === 'live' ? trainLive(spec, context, startResults) : startResults;
  },
  scene: (results, _, frame) => probeScene(results, frame),
  actions: (results, { seed }) => createTrainingActions(results, seed, strings),
  readout(results, _, { model, layer, length }: Cursor) {
    const { errorsByLength, chance, lengths } = results;
    const layers = countLayers(results);
    if (isIndex(length, lengths.length)) {
      const values = strings.layers.flatMap((name, layer) => {
        const value = entryAt(errorsByLength.data, layer * lengths.length + length);
        return Number.isFinite(value) ? [strings.layerError(name, tokensText(value))] : [];
      });
      if (values.length === 0) return strings.nothingMeasured;
      return strings.lengthReadout(entryAt(lengths, length), values.join(', '), tokensText(entryAt(chance.data, length)));
    }
    const chanceText = tokensText(getChanceError(results));
    if (isIndex(model, MODELS.length) && isIndex(layer, layers)) {
      const value = getError(results, model, layer);
      return Number.isFinite(value)
        ? strings.barReadout(modelName(results, model), strings.layerName(layer), tokensText(value), chanceText)
        : strings.nothingMeasured;
    }
    const firstModel = Number.isFinite(getError(results, 0, 0)) ? 0 : 1;
    if (!Number.isFinite(getError(results, firstModel, 0))) return strings.nothingMeasured;
    const values = strings.layers.map((name, layer) => strings.layerError(name, tokensText(getError(results, firstModel, layer))));
    return withMissingTextReason(
      strings.modelReadout(modelName(results, firstModel), values.join(', '), chanceText),
      results.isNovelMissing,
    );
  },
  proof(results) {
    const fraction = getError(results, 0, 1) / getChanceError(results);
    return makeProof(strings.proof, Number.isFinite(fraction) ? fraction : 1, TOLERANCE);
  },
  verdicts: strings.verdicts,
  tables(results) {
    const { errors, errorsByLength, chance, lengths } = results;
    const { tables } = strings;
    const models = MODELS.map((_, model) => modelName(results, model));
    const columns = lengths.map(String);
    return [
      {
        name: 'errors',
        title: tables.errors,
        tensor: errors,
        rowTitle: strings.modelTitle,
        columnTitle: strings.layerTitle,
        rows: models,
        columns: strings.layers,
      },
      {
        name: 'byLength',
        title: tables.byLength,
        tensor: errorsByLength,
        rowTitle: strings.layerTitle,
        columnTitle: strings.lengthTitle,
        rows: strings.layers,
        columns,
      },
      {
        name: 'chance',
        title: tables.chance,
        tensor: chance,
        rowTitle: strings.lengthTitle,
        columnTitle: strings.errorAxis,
        rows: columns,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
