import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { createTrainingActions } from '../../compute/training-actions.ts';
import { withLoadNote } from '../../compute/training-source.ts';
import { choice, count, FieldError, multiSelect, type SpecOf, splitList } from '../../contract/fields.ts';
import { type Cursor, defineKind, type KindContext, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { curvesOf, lastCompleteStep, lastScores, type Results } from './curves.ts';
import { raceScene } from './scene.ts';
import { NAMES, nameOf, strings } from './strings.ts';

const MAX_LINES = 6;
const TOLERANCE = 0.1;

const fields = {
  encodings: multiSelect('none, alibi, learned, rope', NAMES, MAX_LINES),
  task: choice('order', 'copy'),
  metric: choice('accuracy', 'loss'),
  seed: count(1, 0, 2 ** 32 - 3),
  seeds: count(1, 1, 3),
  budget: choice('10', '30', '60'),
  run: choice('recorded', 'live'),
};
export type Spec = SpecOf<typeof fields>;

export const linesOf = ({ encodings }: Pick<Spec, 'encodings'>): readonly string[] => splitList(encodings);

async function trainLive(
  spec: Spec,
  { createTrainer, signal, pace, progress, partial }: KindContext,
  initialResults: Results,
): Promise<Results> {
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  const { race } = await import('./live.ts');
  const { task, metric, seeds: _, budget } = spec;
  const numbersOf = (state: Awaited<ReturnType<typeof race>>, isRunning: boolean): Results => ({
    ...initialResults,
    ...curvesOf(state.values, metric, state.steps),
    origin: 'live',
    total: state.totalSteps,
    isRunning,
    estimatedSeconds: state.estimatedSeconds,
    isHidden: state.isHidden,
    isSequential: state.isSequential,
  });
  const finalState = await race({
    configs: initialResults.trainConfigs.map(({ encoding, causal }) => ({ task, encoding: encoding.id, causal })),
    seeds: initialResults.seeds,
    maxSteps: initialResults.total,
    maxSeconds: Number(budget),
    createTrainer,
    context: { signal, pace },
    reportProgress: (share) => progress?.(share),
    onStateChange: (state) => partial?.(numbersOf(state, true)),
  });
  const results = numbersOf(finalState, false);
  return { ...results, trainConfigs: results.trainConfigs.map((one) => ({ ...one, steps: results.total })) };
}

const pointAtCursor = ({ steps }: Results, { step }: Cursor): number | undefined =>
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
    const lines = linesOf(spec);
    if (lines.length < 2) throw new FieldError(strings.few);
    const { recordedValues, recordingOf } = await import('./recording.ts');
    const { task, metric, seed, seeds: count, run } = spec;
    const seeds = Array.from({ length: count }, (_, at) => seed + at);
    const { steps, total, chance, command, expected: recordedAccuracy, specOf } = recordingOf(task, lines);
    const values = run === 'live' ? { score: lines.map(() => seeds.map(() => [])), loss: lines.map(() => seeds.map(() => [])) } : undefined;
    const startResults: Results = {
      ...curvesOf(values ?? recordedValues(task, lines, seeds), metric, steps),
      origin: run,
      recordedAccuracy,
      chance,
      seeds,
      total,
      trainConfigs: lines.map((_, line) => specOf(line, seed)),
      command,
      isRunning: false,
      isHidden: false,
      isSequential: false,
      canTrain: context.createTrainer !== undefined,
    };
    return run === 'live' ? trainLive(spec, context, startResults) : startResults;
  },
  scene: (results, spec, frame) => raceScene(results, linesOf(spec).map(nameOf), spec.metric, frame),
  actions: (results, { seed }) => createTrainingActions(results, seed, strings),
  readout(results, spec, cursor) {
    const { steps, score, loss, chance } = results;
    const names = linesOf(spec).map(nameOf);
    const metricTensor = spec.metric === 'loss' ? loss : score;
    const point = pointAtCursor(results, cursor) ?? Math.max(0, steps.indexOf(lastCompleteStep(results)));
    if (lastCompleteStep(results) === 0 && pointAtCursor(results, cursor) === undefined) return strings.probing;
    const values = names.flatMap((name, line) => {
      const value = entryAt(metricTensor.data, line * steps.length + point);
      const isSelected = cursor.line === undefined || cursor.line === line || pointAtCursor(results, cursor) === undefined;
      return isSelected && Number.isFinite(value) ? [strings.value(name, formatNumber(value))] : [];
    });
    const chanceText = spec.metric === 'loss' ? '' : strings.chanceValue(formatNumber(chance));
    const message = strings.after(entryAt(steps, point), values.join(', '), chanceText);
    return pointAtCursor(results, cursor) === undefined ? withLoadNote(message, results, spec.budget) : message;
  },
  proof(results) {
    const deviations = results.recordedAccuracy.flatMap((value, line) =>
      lastScores(results, line).map((last) => (Number.isFinite(last) ? Math.abs(last - value) : 1)),
    );
    return makeProof(strings.proof, Math.max(...deviations), TOLERANCE);
  },
  verdicts: strings.verdicts,
  tables({ steps, score, loss, low, high }, spec) {
    const headers = { rowTitle: strings.line, columnTitle: strings.step, rows: linesOf(spec).map(nameOf), columns: steps.map(String) };
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
