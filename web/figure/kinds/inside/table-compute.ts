// What a learned table of positions looks like before training and after it, as recorded or while it is trained here. It comes when it is shown.

import { entryAt } from '../../../charts/entry-at.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import type { Engine, KindContext } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import type { Spec } from './index.ts';
import type { Taken } from './live.ts';
import { modelsOf, withModel } from './model.ts';
import { words } from './strings.ts';
import { type TableNumbers, view } from './table.ts';
import type { Training } from './training.ts';

/** Items that a snapshot is measured with: what is measured is the table, not the answers. */
const ITEMS = 1;

interface Snapshot extends Taken {
  /** [positions, width] */
  readonly rows: Tensor;
  /** The mean cosine of neighbouring rows, less the mean row. */
  readonly near: number;
}

async function snapshotOf(trainer: Trainer): Promise<Snapshot> {
  const rows = (await trainer.weights())['encoding.table'];
  if (!rows) throw new Error('the model has no table of positions');
  const { observed } = await trainer.evaluate({ items: ITEMS });
  return { step: trainer.stepsDone, rows, near: observed.cosine_1 ?? Number.NaN };
}

/**
 * Cosines of rows, less their mean: coordinates along all principal components are the rows, less their mean, in other axes, which changes no
 * angle.
 */
async function cosines(rows: Tensor, engine: Engine): Promise<Tensor> {
  const components = Math.min(entryAt(rows.shape, 0), entryAt(rows.shape, 1));
  const { coordinates } = await engine.principalComponents({ table: rows, components });
  return engine.similarity({ table: coordinates });
}

/** The snapshots before and after the training that was recorded. */
async function recorded(model: ShippedModel, means: KindContext) {
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

export async function tableNumbers(spec: Spec, means: KindContext): Promise<TableNumbers> {
  const { engine, createTrainer } = means;
  const { task, seed, run: origin } = spec;
  const models = await modelsOf(means);
  const model = await models.find(`${task}-learned`);
  const hasHeads = (await models.list()).some(({ id }) => id === 'text-learned');
  if (origin === 'recorded' && seed !== model.spec.seed) throw new SpecError('seed', `seed: ${words.notRecorded(Number(model.spec.seed))}`);
  const first = new Map<Tensor, Promise<Tensor>>();
  const numbers = async (snapshots: readonly Snapshot[], at: number): Promise<Omit<TableNumbers, keyof Training>> => {
    const [begin, shown] = [snapshots[0] as Snapshot, snapshots[at] as Snapshot];
    // The same for all snapshots of a run.
    if (!first.has(begin.rows)) first.set(begin.rows, cosines(begin.rows, engine));
    return {
      show: 'table',
      view,
      rows: shown.rows,
      before: (await first.get(begin.rows)) as Tensor,
      after: await cosines(shown.rows, engine),
      near: shown.near,
      expected: model.observed?.cosine_1 ?? Number.NaN,
      hasHeads,
    };
  };
  const still = { model, isHashed: models.canHash };
  if (origin === 'recorded') {
    const { spec: full, snapshots } = await recorded(model, means);
    return {
      ...(await numbers(snapshots, 1)),
      ...still,
      origin,
      spec: full,
      steps: snapshots.map(({ step }) => step),
      at: 1,
      isRunning: false,
      isHidden: false,
      canTrain: createTrainer !== undefined,
    };
  }
  if (!createTrainer) throw new SpecError('run', `run: ${words.cannotTrain}`);
  const { liveNumbers } = await import('./live.ts');
  const begin = () => createTrainer({ ...model.spec, seed });
  return liveNumbers({ key: `${model.id} ${seed}`, begin, take: snapshotOf, numbers }, still, spec, means);
}
