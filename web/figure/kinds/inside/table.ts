// What a learned table of positions looks like before training and after it, as recorded or while it is trained here.
import type { Tensor } from '../../../engine/index.ts';
import type { FullTrainSpec } from '../../../engine/types/training.ts';
import { formatNumber } from '../../../views/number.ts';
import { type Cursor, type DataTable, type Engine, type Means, measured, type Proof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { type Run, SNAPSHOTS, type Snapshot, snapshotOf, trainUntil } from './live.ts';
import { modelsOf, withModel } from './model.ts';
import { words } from './words.ts';

/** Five standard deviations of three seeds (docs/experiments.md, E11): other rows that are as banded are within it. */
const TOLERANCE = 0.1;

export interface TableNumbers {
  readonly show: 'table';
  readonly origin: 'recorded' | 'live';
  readonly model: ShippedModel;
  /** What the model is trained with. */
  readonly spec: FullTrainSpec;
  /** [positions, width] of what is shown. */
  readonly rows: Tensor;
  /** [positions, positions]: cosines of rows, less their mean. */
  readonly before: Tensor;
  readonly after: Tensor;
  /** Steps that what is shown has been trained for. */
  readonly step: number;
  readonly total: number;
  /** Of what is shown: the mean cosine of neighbours. */
  readonly near: number;
  /** That of the recorded run at its end. */
  readonly expected: number;
  /** The steps of all snapshots that there are, and which is shown. */
  readonly steps: readonly number[];
  readonly at: number;
  readonly isRunning: boolean;
  readonly isHidden: boolean;
  readonly canTrain: boolean;
}

/**
 * Cosines of rows, less their mean: coordinates along all principal components are the rows, less their mean, in other axes, which changes no
 * angle.
 */
async function cosines(rows: Tensor, engine: Engine): Promise<Tensor> {
  const components = Math.min(rows.shape[0] as number, rows.shape[1] as number);
  const { coordinates } = await engine.principalComponents({ table: rows, components });
  return engine.similarity({ table: coordinates });
}

/** The snapshots before and after the training that was recorded. */
async function recorded(model: ShippedModel, means: Means) {
  const { kept } = means;
  const models = await modelsOf(means);
  const begin = async (): Promise<Snapshot> => {
    const untrained = await models.start(model.id);
    try {
      return await snapshotOf(untrained);
    } finally {
      untrained.dispose();
    }
  };
  const first = await (kept ? kept.get('before', model.id, begin) : begin());
  return withModel(model.id, means, async (trainer) => {
    const last = { ...(await snapshotOf(trainer)), step: model.steps };
    return { spec: trainer.spec, snapshots: [first, last] };
  });
}

export async function tableNumbers(spec: Spec, means: Means): Promise<TableNumbers> {
  const { engine, createTrainer, kept, early } = means;
  const { task, seed, run: origin, snapshot } = spec;
  const models = await modelsOf(means);
  const model = await models.find(`${task}-learned`);
  if (origin === 'recorded' && seed !== model.spec.seed) throw new SpecError('seed', `seed: ${words.notRecorded(Number(model.spec.seed))}`);
  const still = {
    show: 'table',
    origin,
    model,
    expected: model.observed?.cosine_1 ?? Number.NaN,
    canTrain: createTrainer !== undefined,
  } as const;
  const first = new Map<Tensor, Promise<Tensor>>();
  const numbersOf = async (
    full: FullTrainSpec,
    snapshots: readonly Snapshot[],
    at: number,
    state: Partial<TableNumbers>,
  ): Promise<TableNumbers> => {
    const [begin, shown] = [snapshots[0] as Snapshot, snapshots[at] as Snapshot];
    // The same for all snapshots of a run.
    if (!first.has(begin.rows)) first.set(begin.rows, cosines(begin.rows, engine));
    return {
      ...still,
      spec: full,
      rows: shown.rows,
      before: (await first.get(begin.rows)) as Tensor,
      after: await cosines(shown.rows, engine),
      step: shown.step,
      total: full.steps,
      near: shown.near,
      steps: snapshots.map(({ step }) => step),
      at,
      isRunning: false,
      isHidden: false,
      ...state,
    };
  };
  if (origin === 'recorded') {
    const { spec: full, snapshots } = await recorded(model, means);
    return numbersOf(full, snapshots, 1, {});
  }
  if (!createTrainer) throw new SpecError('run', `run: ${words.cannotTrain}`);
  const begin = async (): Promise<Run> => {
    const trainer = await createTrainer({ ...model.spec, seed });
    return { trainer, snapshots: [await snapshotOf(trainer)], isHidden: false };
  };
  const end = ({ trainer }: Run): void => trainer.dispose();
  const run = await (kept ? kept.get('run', `${task} ${seed}`, begin, end) : begin());
  const { snapshots } = run;
  const full = run.trainer.spec;
  let drawing: Promise<void> = Promise.resolve();
  const changed = (): void => {
    const seen = snapshots.slice();
    const { isHidden } = run;
    const at = Math.min(snapshot, seen.length - 1);
    // One after the other: a later picture must not come before an earlier one.
    drawing = drawing
      .then(() => numbersOf(full, seen, at, { isRunning: true, isHidden }))
      .then((numbers) => early?.(numbers))
      .catch(() => {});
  };
  try {
    if (snapshots.length <= snapshot) await trainUntil(run, snapshot, means, changed);
    await drawing;
    return await numbersOf(full, snapshots, Math.min(snapshot, snapshots.length - 1), {});
  } finally {
    if (!kept) run.trainer.dispose();
  }
}

/** Positions that a cursor names; undefined where there are none. */
function pairOf({ after: { shape } }: TableNumbers, { query, key }: Cursor): readonly [number, number] | undefined {
  const side = shape[0] as number;
  const isIn = (at: number | undefined): at is number => at !== undefined && Number.isInteger(at) && at >= 0 && at < side;
  return isIn(query) && isIn(key) ? [query, key] : undefined;
}

export function tableReadout(numbers: TableNumbers, _: Spec, cursor: Cursor): string {
  const { before, after, step, near, steps } = numbers;
  const { snapshot } = cursor;
  if (snapshot !== undefined && steps[snapshot] !== undefined) return words.snapshotAt(steps[snapshot] as number);
  const pair = pairOf(numbers, cursor);
  if (!pair) return words.neighbours(step, formatNumber(near));
  const at = pair[0] * (after.shape[0] as number) + pair[1];
  return words.pair(pair[0], pair[1], formatNumber(before.data[at] as number), formatNumber(after.data[at] as number), step);
}

export const tableProof = ({ near, expected, model }: TableNumbers): Proof =>
  measured({ ...words.tableProof, source: words.tableSource(model.file) }, Math.abs(near - expected), TOLERANCE);

export function tableTables({ before, after, rows, step }: TableNumbers): readonly DataTable[] {
  const axes = { rowTitle: words.position, columnTitle: words.position };
  return [
    { name: 'after', title: words.cosineAfter(step), tensor: after, ...axes },
    { name: 'before', title: words.cosineBefore, tensor: before, ...axes },
    { name: 'rows', title: words.rowsAfter(step), tensor: rows, rowTitle: words.position, columnTitle: words.channel },
  ];
}

/** Whether a run may go on. */
export const isCut = ({ origin, steps }: TableNumbers): boolean => origin === 'live' && steps.length <= SNAPSHOTS;
