import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { createTrainingActions } from '../../compute/training-actions.ts';
import { withLoadNote } from '../../compute/training-source.ts';
import { choice, count, FieldError, multiSelect, type SpecOf, splitList } from '../../contract/fields.ts';
import { type Cursor, defineKind, type KindContext, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { createCurves, findLastCompleteStep, getLastScores, type Results } from './curves.ts';
import { raceScene } from './scene.ts';
import { ENCODING_NAMES, getLineName, strings } from './strings.ts';

const MAX_LINES = 6;
const TOLERANCE = 0.1;

const fields = {
  encodings: multiSelect('none, alibi, learned, rope', ENCODING_NAMES, MAX_LINES),
  task: choice('order', 'copy'),
  metric: choice('accuracy', 'loss'),
  seed: count(1, 0, 2 ** 32 - 3),
  seeds: count(1, 1, 3),
  budget: choice('10', '30', '60'),
  run: choice('recorded', 'live'),
};
export type Spec = SpecOf<typeof fields>;

export const getLineIds = ({ encodings }: Pick<Spec, 'encodings'>): readonly string[] => splitList(encodings);

async function trainLive(
  spec: Spec,
  { createTrainer, signal, pace, progress, partial }: KindContext,
  initialResults: Results,
): Promise<Results> {
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  const { trainRace } = await import('./live.ts');
  const { task, metric, seeds: _, budget } = spec;
  const createResults = (state: Awaited<ReturnType<typeof trainRace>>, isRunning: boolean): Results => ({
    ...initialResults,
    ...createCurves(state.values, metric, state.steps),
    origin: 'live',
    total: state.totalSteps,
    isRunning,
    estimatedSeconds: state.estimatedSeconds,
    isHidden: state.isHidden,
    isSequential: state.isSequential,
  });
  const finalState = await trainRace({
    configs: initialResults.trainConfigs.map(({ encoding, causal }) => ({ task, encoding: encoding.id, causal })),
    seeds: initialResults.seeds,
    maxSteps: initialResults.total,
    maxSeconds: Number(budget),
    createTrainer,
    context: { signal, pace },
    reportProgress: (share) => progress?.(share),
    onStateChange: (state) => partial?.(createResults(state, true)),
  });
  const results = createResults(finalState, false);
  return { ...results, trainConfigs: results.trainConfigs.map((config) => ({ ...config, steps: results.total })) };
}

const getPointAtCursor = ({ steps }: Results, { step }: Cursor): number | undefined =>
  step !== undefined && Number.isInteger(step) && step >= 0 && step < steps.length ? step : undefined;

export const kind = defineKind({
  id: 'race',
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
    const lines = getLineIds(spec);
    if (lines.length < 2) throw new FieldError(strings.tooFewEncodings);
    const { getRecordedValues, getRecording } = await import('./recording.ts');
    const { task, metric, seed, seeds: count, run } = spec;
    const seeds = Array.from({ length: count }, (_, index) => seed + index);
    const { steps, total, chance, command, recordedAccuracy, getTrainConfig } = getRecording(task, lines);
    const values = run === 'live' ? { score: lines.map(() => seeds.map(() => [])), loss: lines.map(() => seeds.map(() => [])) } : undefined;
    const startResults: Results = {
      ...createCurves(values ?? getRecordedValues(task, lines, seeds), metric, steps),
      origin: run,
      recordedAccuracy,
      chance,
      seeds,
      total,
      trainConfigs: lines.map((_, line) => getTrainConfig(line, seed)),
      command,
      isRunning: false,
      isHidden: false,
      isSequential: false,
      canTrain: context.createTrainer !== undefined,
    };
    return run === 'live' ? trainLive(spec, context, startResults) : startResults;
  },
  scene: (results, spec, frame) => raceScene(results, getLineIds(spec).map(getLineName), spec.metric, frame),
  actions: (results, { seed }) => createTrainingActions(results, seed, strings),
  readout(results, spec, cursor) {
    const { steps, score, loss, chance } = results;
    const names = getLineIds(spec).map(getLineName);
    const metricTensor = spec.metric === 'loss' ? loss : score;
    const point = getPointAtCursor(results, cursor) ?? Math.max(0, steps.indexOf(findLastCompleteStep(results)));
    if (findLastCompleteStep(results) === 0 && getPointAtCursor(results, cursor) === undefined) return strings.nothingMeasured;
    const values = names.flatMap((name, line) => {
      const value = entryAt(metricTensor.data, line * steps.length + point);
      const isSelected = cursor.line === undefined || cursor.line === line || getPointAtCursor(results, cursor) === undefined;
      return isSelected && Number.isFinite(value) ? [strings.value(name, formatNumber(value))] : [];
    });
    const chanceText = spec.metric === 'loss' ? '' : strings.chanceValue(formatNumber(chance));
    const message = strings.stepReadout(entryAt(steps, point), values.join(', '), chanceText);
    return getPointAtCursor(results, cursor) === undefined ? withLoadNote(message, results, spec.budget) : message;
  },
  proof(results) {
    const deviations = results.recordedAccuracy.flatMap((value, line) =>
      getLastScores(results, line).map((last) => (Number.isFinite(last) ? Math.abs(last - value) : 1)),
    );
    return makeProof(strings.proof, Math.max(...deviations), TOLERANCE);
  },
  verdicts: strings.verdicts,
  tables({ steps, score, loss, low, high }, spec) {
    const headers = {
      rowTitle: strings.line,
      columnTitle: strings.step,
      rows: getLineIds(spec).map(getLineName),
      columns: steps.map(String),
    };
    const { tables } = strings;
    const meanTables = [
      { name: 'score', title: tables.score, tensor: score, ...headers },
      { name: 'loss', title: tables.loss, tensor: loss, ...headers },
    ];
    const bandTables = [
      { name: 'low', title: tables.low, tensor: low, ...headers },
      { name: 'high', title: tables.high, tensor: high, ...headers },
    ];
    const metricTables = spec.metric === 'loss' ? meanTables.reverse() : meanTables;
    return spec.seeds > 1 ? [...metricTables, ...bandTables] : metricTables;
  },
  loadPrograms: () => import('./code.ts'),
});
