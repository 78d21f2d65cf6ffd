// What a learned table of positions looks like before training and after it, as recorded or while it is trained here. It comes when it is shown.
import type { Tensor } from '../../../engine/index.ts';
import type { FullTrainSpec } from '../../../engine/types/training.ts';
import type { Engine, Means } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import { type Run, type Snapshot, snapshotOf, trainUntil } from './live.ts';
import { modelsOf, withModel } from './model.ts';
import type { TableNumbers } from './table.ts';
import { words } from './words.ts';

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
  } catch (thrown) {
    // Its worker may be lost; a run that the reader has left goes on later.
    if (!means.signal?.aborted) kept?.drop('run');
    throw thrown;
  } finally {
    if (!kept) run.trainer.dispose();
  }
}
