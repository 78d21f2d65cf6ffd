import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { withLoadNote, withMissingTextReason } from '../../compute/training-source.ts';
import { boolean, choice, count, FieldError, multiSelect, type SpecOf, splitList } from '../../contract/fields.ts';
import { type Cursor, defineKind, type KindContext, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { computeCurves, type MetricValues, type Results, selectMetric, selectTrainedResults } from './lengths.ts';
import { WITHOUT_ROPE } from './recalibrated.ts';
import { lengthScene } from './scene.ts';
import { scaleEncoding } from './stretched.ts';
import { ALL_LINE_NAMES, getLineName, strings } from './strings.ts';

const MAX_LINES = 6;
const TOLERANCE = 0.1;

const fields = {
  encodings: multiSelect('learned, sinusoidal, rope, t5', ALL_LINE_NAMES, MAX_LINES),
  task: choice('copy', 'order_long', 'text', 'counting'),
  metric: choice('last_token', 'whole_text', 'loss'),
  beyond: choice('error', 'clamp', 'untrained'),
  random: boolean(false),
  seed: count(1, 0, 2 ** 32 - 3),
  seeds: count(3, 1, 3),
  budget: choice('10', '30', '60'),
  run: choice('recorded', 'live'),
};
export type Spec = SpecOf<typeof fields>;

export const listLineIds = ({ encodings }: Pick<Spec, 'encodings'>): readonly string[] => splitList(encodings);

const NO_VALUES: MetricValues = { loss: [], score: [], last: [] };

async function trainLive(
  spec: Spec,
  { createTrainer, signal, pace, progress, partial }: KindContext,
  initialResults: Results,
): Promise<Results> {
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  const { trainAndEvaluate } = await import('./live.ts');
  const { task, beyond, budget } = spec;
  const { lengths, metric } = initialResults;
  const createResults = (state: Awaited<ReturnType<typeof trainAndEvaluate>>, isRunning: boolean): Results => {
    const { totalSteps, estimatedSeconds, completedSteps, values, endErrors, isHidden, isSequential } = state;
    const curves = computeCurves(values, metric, lengths.length);
    return {
      ...initialResults,
      ...curves,
      origin: 'live',
      total: totalSteps,
      estimatedSeconds,
      completedSteps,
      endErrors,
      isRunning,
      isHidden,
      isSequential,
    };
  };
  const finalState = await trainAndEvaluate({
    configs: initialResults.configs.map(({ encoding, randomizedPositions }) => ({ task, encoding, randomizedPositions })),
    seeds: initialResults.seeds,
    maxSteps: initialResults.total,
    maxSeconds: Number(budget),
    lengths,
    outOfRange: beyond === 'clamp' ? 'clamp' : 'error',
    createTrainer,
    context: { signal, pace },
    reportProgress: (share) => progress?.(share),
    onStateChange: (state) => partial?.(createResults(state, true)),
  });
  const results = createResults(finalState, false);
  return { ...results, configs: results.configs.map((config) => ({ ...config, steps: results.total })) };
}

const PASSAGES_PER_LENGTH = 128;

/** Evaluates the shipped models for the task `text`, which are already trained. */
async function measureShippedModels(
  spec: Spec,
  { createTrainer, models, corpus, signal, pace, progress, partial }: KindContext,
  initialResults: Results,
  recordedLosses: readonly number[],
): Promise<Results> {
  const ids = listLineIds(spec);
  if (!createTrainer || !models || !corpus) throw new SpecError('run', `run: ${strings.cannotEvaluate}`);
  if (ids.includes('learned')) throw new SpecError('run', `run: ${strings.noLearnedModel}`);
  if (spec.seed !== 1 || spec.seeds !== 1) throw new SpecError('run', `run: ${strings.onlyFirstSeed}`);
  const [{ evaluateShippedModels }, shipped, text] = await Promise.all([import('./read.ts'), models(), corpus()]);
  const { lengths, trainedLength, configs, scalings, recalibrations, metric } = initialResults;
  const createResults = (loss: readonly (readonly number[])[], completedSteps: number, isRunning: boolean): Results => ({
    ...initialResults,
    ...computeCurves({ loss: loss.map((row) => [row]), score: [], last: [] }, metric, lengths.length),
    evaluation: {
      passages: PASSAGES_PER_LENGTH,
      total: ids.length * lengths.length,
      range: [Math.min(...recordedLosses), Math.max(...recordedLosses)],
    },
    completedSteps,
    isRunning,
  });
  const { loss, completedCount } = await evaluateShippedModels({
    lines: configs.map(({ encoding }, line) => ({
      model: `text-${encoding.id}`,
      getEncoding: (length: number) =>
        recalibrations[line] ? WITHOUT_ROPE : scaleEncoding(encoding, scalings[line], length, trainedLength),
      recalibration: recalibrations[line],
    })),
    lengths,
    passagesPerLength: PASSAGES_PER_LENGTH,
    corpus: text,
    models: shipped,
    createTrainer,
    context: { signal, pace },
    progress: (share) => progress?.(share),
    onChange: (currentLoss, created) => partial?.(createResults(currentLoss, created, true)),
  });
  return createResults(loss, completedCount, false);
}

const getCursorLengthIndex = ({ lengths }: Results, { length }: Cursor): number | undefined =>
  length !== undefined && Number.isInteger(length) && length >= 0 && length < lengths.length ? length : undefined;

export const kind = defineKind({
  id: 'extrapolation',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: strings.labels,
  help: strings.help,
  unlinkedFields: ['seed', 'metric'],
  trainable: ({ run }) => (run === 'live' ? import('../../surface/paced.ts') : undefined),
  aspect: 0.5,
  async compute(spec, context): Promise<Results> {
    const ids = listLineIds(spec);
    if (ids.length < 1) throw new FieldError(strings.noEncodings);
    const { task, metric, random, seed, seeds: seedCount, run } = spec;
    if (random && task !== 'order_long')
      throw new SpecError('random', `random: ${task === 'copy' ? strings.noBenefitForCopy : strings.onlyOrderTask}`);
    const { rejectsLongerTexts, selectRecording } = await import('./recording.ts');
    const seeds = Array.from({ length: seedCount }, (_, index) => seed + index);
    const { command, chance, lengths, refused, trainedLength, total, recordedMeans, scalings, recalibrations, createConfig, selectValues } =
      selectRecording(spec, ids);
    const initialResults: Results = {
      ...computeCurves(run === 'live' ? NO_VALUES : selectValues(seeds), selectMetric(metric, task), lengths.length),
      origin: run,
      command,
      seeds,
      total,
      completedSteps: run === 'live' ? 0 : total,
      lengths,
      trainedLength,
      endErrors: ids.map((id) => (run === 'recorded' && rejectsLongerTexts(id, spec) ? refused : undefined)),
      recordedMeans,
      chance,
      configs: ids.map((_, line) => createConfig(line, seed)),
      scalings,
      recalibrations,
      isRunning: false,
      isHidden: false,
      isSequential: false,
      isNovelMissing: task === 'text' && context.createTrainer !== undefined && context.corpus === undefined,
      canTrain: context.createTrainer !== undefined && (task !== 'text' || (context.models !== undefined && context.corpus !== undefined)),
    };
    if (run === 'recorded') return initialResults;
    return task === 'text'
      ? measureShippedModels(spec, context, initialResults, selectValues([1]).loss.flat(2))
      : trainLive(spec, context, initialResults);
  },
  scene: (results, spec, frame) => lengthScene(results, listLineIds(spec).map(getLineName), frame),
  actions({ origin, canTrain, isRunning, endErrors }, { seed, task, encodings }) {
    if (isRunning) return [];
    const extendTableAction = { label: strings.extendTable, keys: ['m'], fields: () => ({ beyond: 'untrained' }) };
    const extendTableActions = endErrors.some((end) => end !== undefined) ? [extendTableAction] : [];
    if (origin === 'live') {
      const nextSeedActions = task === 'text' ? [] : [{ label: strings.again, keys: ['t'], fields: () => ({ seed: seed + 1 }) }];
      return [
        ...nextSeedActions,
        { label: strings.recording, fields: () => ({ run: 'recorded', seed: 1, seeds: 3 }) },
        ...extendTableActions,
      ];
    }
    if (!canTrain || (task === 'text' && listLineIds({ encodings }).includes('learned'))) return extendTableActions;
    if (task === 'text')
      return [{ label: strings.evaluateOnNovel, keys: ['t'], fields: () => ({ run: 'live', seed: 1, seeds: 1 }) }, ...extendTableActions];
    return [{ label: strings.train, keys: ['t'], fields: () => ({ run: 'live', seeds: 1 }) }, ...extendTableActions];
  },
  readout(results, spec, cursor) {
    const { lengths, trainedLength, metric, chance, completedSteps, endErrors } = results;
    if (completedSteps === 0 && getCursorLengthIndex(results, cursor) === undefined) return strings.nothingMeasured;
    // Without a cursor, the readout describes the longest length that has been evaluated for every line. A line whose
    // table ends before this length counts as evaluated.
    const isEvaluated = (lengthIndex: number): boolean =>
      listLineIds(spec).every(
        (_, line) => endErrors[line] !== undefined || Number.isFinite(results[metric].data[line * lengths.length + lengthIndex]),
      );
    const pointIndex =
      getCursorLengthIndex(results, cursor) ??
      Math.max(
        0,
        lengths.findLastIndex((_, lengthIndex) => isEvaluated(lengthIndex)),
      );
    const length = entryAt(lengths, pointIndex);
    const values = listLineIds(spec).flatMap((id, line) => {
      const value = entryAt(results[metric].data, line * lengths.length + pointIndex);
      if (cursor.line !== undefined && cursor.line !== line && getCursorLengthIndex(results, cursor) !== undefined) return [];
      if (Number.isFinite(value)) return [strings.value(getLineName(id), formatNumber(value))];
      return endErrors[line] === undefined ? [] : [strings.value(getLineName(id), strings.noTableRow(trainedLength))];
    });
    if (values.length === 0) return strings.lengthNotMeasured(length, trainedLength);
    const message = strings.lengthReadout(length, trainedLength, values.join(', '), strings.chanceValue(formatNumber(chance)));
    if (getCursorLengthIndex(results, cursor) !== undefined) return message;
    return spec.task === 'text' ? withMissingTextReason(message, results.isNovelMissing) : withLoadNote(message, results, spec.budget);
  },
  proof(results) {
    const deviations = results.recordedMeans.flatMap((value, line) =>
      results.seeds.map((_, seed) => {
        const trainedResult = selectTrainedResults(results, line)[seed] ?? Number.NaN;
        return Number.isFinite(trainedResult) ? Math.abs(trainedResult - value) : 1;
      }),
    );
    return makeProof(strings.proof, Math.max(...deviations), TOLERANCE);
  },
  verdicts: strings.verdicts,
  tables(results, spec) {
    const { lengths, metric, values } = results;
    const axisLabels = {
      rowTitle: strings.line,
      columnTitle: strings.tokensTitle,
      rows: listLineIds(spec).map(getLineName),
      columns: lengths.map(String),
    };
    const createTable = (name: 'last' | 'score' | 'loss' | 'low' | 'high') => ({
      name,
      title: strings.tables[name],
      tensor: results[name],
      ...axisLabels,
    });
    const isAvailable = (name: 'last' | 'score') => selectMetric(name === 'last' ? 'last_token' : 'whole_text', spec.task) === name;
    const metrics = [
      metric,
      ...(['last', 'score', 'loss'] as const).filter((name) => name !== metric && (name === 'loss' || isAvailable(name))),
    ];
    const bandNames = spec.seeds > 1 && values.loss.length > 0 ? (['low', 'high'] as const) : [];
    return [...metrics, ...bandNames].map(createTable);
  },
  loadPrograms: () => import('./code.ts'),
});
