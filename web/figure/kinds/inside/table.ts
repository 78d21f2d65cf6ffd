// A learned position table before and after training. The model was recorded or is trained on this page. Loaded on demand.

import { arrangeInGrid, fitColumns } from '../../../charts/compose.ts';
import { wholeNumber } from '../../../charts/english.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { withHeading } from '../../../charts/titled.ts';
import { principalComponents, similarity } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { Trainer } from '../../../engine/types/trainer.ts';
import { type Cursor, type DataTable, type Engine, type KindContext, makeProof, type Proof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { toGrid } from '../../contract/tensor.ts';
import type { ShippedModel } from '../../runtime/shipped-models.ts';
import { notesHeight, withNotes } from './heads-scene.ts';
import type { Spec } from './index.ts';
import type { LazyView } from './later-view.ts';
import type { StepSnapshot } from './live.ts';
import { getCursorSnapshot, getDisplayedStep, requireModels, type Training, trackHeight, withModel, withTrack } from './model.ts';
import { describeLiveTraining, strings } from './strings.ts';

export const tableStrings = {
  positionTitle: 'position',
  channelTitle: 'channel',
  cosineTitle: 'cosine',
  matrixTitle: 'Cosines between rows of the table',
  title: 'A learned table before and after training',
  beforeTraining: 'Before training',
  afterSteps: (step: number) => (step === 0 ? 'Now: not trained yet' : `After ${wholeNumber.format(step)} steps`),
  cosineBefore: 'cosines before training',
  cosineAfter: (step: number) => `cosines after ${wholeNumber.format(step)} steps`,
  rowsAfter: (step: number) => `rows of the table after ${wholeNumber.format(step)} steps`,
  recordedNote: ({ spec }: ShippedModel) => `Recorded, one seed (${spec.seed})`,
  neighbourReadout: (step: number, value: string) =>
    `After ${wholeNumber.format(step)} steps: neighbouring positions have a mean cosine of ${value}`,
  pairReadout: (query: number, key: number, before: string, after: string, step: number) =>
    `Positions ${query} and ${key}: cosine ${before} before training, ${after} after ${wholeNumber.format(step)} steps`,
  proof: {
    quantity: 'difference between the mean cosine of neighbouring positions and that at the end of the recorded run',
    passes: 'Neighbouring positions are as similar as in the recorded run.',
    fails: 'Neighbouring positions are not as similar as at the end of the recorded run: training is unfinished, or the seed differs.',
  },
  toleranceSource: (file: string) => `Five standard deviations over three seeds. Recorded weights: ${file}.`,
} as const;

/** Minimum width of a matrix, px. Small enough for two matrices side by side on a phone. */
const MIN_MATRIX_WIDTH = 150;
const GAP = 20;

export function tableScene(results: TableResults, _: Spec, frame: Frame): Scene {
  const { origin, cosinesBefore, cosinesAfter, model } = results;
  const isLive = origin === 'live';
  const notes = [isLive ? describeLiveTraining(results) : tableStrings.recordedNote(model)];
  const availableHeight = (frame.maxHeight ?? 600) - notesHeight(notes, frame.width) - trackHeight(results);
  const { columns, each } = fitColumns(2, frame.width, MIN_MATRIX_WIDTH, GAP);
  const createPanel = (matrix: typeof cosinesAfter, text: string): Scene =>
    withHeading(
      matrixScene({
        ...frame,
        width: each,
        maxHeight: availableHeight - 24,
        grid: toGrid(matrix),
        scale: 'diverging',
        range: [-1, 1],
        title: tableStrings.matrixTitle,
        quantity: tableStrings.cosineTitle,
        rowAxis: 'query',
        columnAxis: 'key',
        rowTitle: tableStrings.positionTitle,
        columnTitle: tableStrings.positionTitle,
      }),
      text,
      each,
    );
  const title = { title: tableStrings.title };
  const matrices = arrangeInGrid(
    [
      createPanel(cosinesBefore, tableStrings.beforeTraining),
      createPanel(cosinesAfter, tableStrings.afterSteps(getDisplayedStep(results))),
    ],
    title,
    { columns, each },
    GAP,
  );
  return withNotes(withTrack(matrices, results, frame.width), notes, frame.width);
}

/** Five standard deviations of the mean cosine at distance 1, measured over three seeds (docs/experiments.md, E11). */
const TOLERANCE = 0.1;

export interface TableResults extends Training {
  readonly show: 'table';
  readonly view: LazyView<TableResults>;
  /** [positions, dim]: the displayed table. */
  readonly rows: Tensor;
  /** [positions, positions]: cosines between rows, after subtracting the mean row. */
  readonly cosinesBefore: Tensor;
  readonly cosinesAfter: Tensor;
  /** The mean cosine between neighbouring rows of the displayed table, after subtracting the mean row. */
  readonly neighbourCosine: number;
  /** `neighbourCosine` at the end of the recorded run. */
  readonly recordedCosine: number;
  /** Whether this page includes the character model with learned positions, whose heads the figure can show. */
  readonly hasHeads: boolean;
}

function findCursorPair({ cosinesAfter: { shape } }: TableResults, { query, key }: Cursor): readonly [number, number] | undefined {
  const positionCount = entryAt(shape, 0);
  return isIndex(query, positionCount) && isIndex(key, positionCount) ? [query, key] : undefined;
}

function readout(results: TableResults, _: Spec, cursor: Cursor): string {
  const { cosinesBefore, cosinesAfter, neighbourCosine, steps } = results;
  const step = getDisplayedStep(results);
  const snapshot = getCursorSnapshot(results, cursor.snapshot);
  if (snapshot !== undefined) return strings.snapshotReadout(entryAt(steps, snapshot));
  const pair = findCursorPair(results, cursor);
  if (!pair) return tableStrings.neighbourReadout(step, formatNumber(neighbourCosine));
  const cell = pair[0] * entryAt(cosinesAfter.shape, 0) + pair[1];
  return tableStrings.pairReadout(
    pair[0],
    pair[1],
    formatNumber(entryAt(cosinesBefore.data, cell)),
    formatNumber(entryAt(cosinesAfter.data, cell)),
    step,
  );
}

const proof = ({ neighbourCosine, recordedCosine, model }: TableResults): Proof =>
  makeProof(
    { ...tableStrings.proof, toleranceSource: tableStrings.toleranceSource(model.file) },
    Math.abs(neighbourCosine - recordedCosine),
    TOLERANCE,
  );

function tables(results: TableResults): readonly DataTable[] {
  const { cosinesBefore, cosinesAfter, rows } = results;
  const step = getDisplayedStep(results);
  const axes = { rowTitle: tableStrings.positionTitle, columnTitle: tableStrings.positionTitle };
  return [
    { name: 'after', title: tableStrings.cosineAfter(step), tensor: cosinesAfter, ...axes },
    { name: 'before', title: tableStrings.cosineBefore, tensor: cosinesBefore, ...axes },
    {
      name: 'rows',
      title: tableStrings.rowsAfter(step),
      tensor: rows,
      rowTitle: tableStrings.positionTitle,
      columnTitle: tableStrings.channelTitle,
    },
  ];
}

export const view: LazyView<TableResults> = { scene: tableScene, readout, proof, tables };

/** Samples per evaluation. One is enough, because cosine_1 depends only on the table. */
const NUM_SAMPLES = 1;

interface Snapshot extends StepSnapshot {
  /** [positions, dim] */
  readonly rows: Tensor;
  /** The mean cosine between neighbouring rows, after subtracting the mean row. */
  readonly neighbourCosine: number;
}

async function measureSnapshot(trainer: Trainer): Promise<Snapshot> {
  const rows = (await trainer.weights())['encoding.table'];
  if (!rows) throw new Error('the model has no position table');
  const { metrics } = await trainer.evaluate({ numSamples: NUM_SAMPLES });
  return { step: trainer.globalStep, rows, neighbourCosine: metrics.cosine_1 ?? Number.NaN };
}

/**
 * Computes cosines between rows after subtracting the mean row. Uses the coordinates along all principal components,
 * which are a rotation of these rows and therefore have the same angles.
 */
async function computeCosines(rows: Tensor, engine: Engine): Promise<Tensor> {
  const componentCount = Math.min(entryAt(rows.shape, 0), entryAt(rows.shape, 1));
  const { coordinates } = await principalComponents(engine, { table: rows, components: componentCount });
  return similarity(engine, { table: coordinates });
}

/** Returns snapshots of the recorded model before and after training. */
async function loadRecordedSnapshots(model: ShippedModel, context: KindContext) {
  const { cache } = context;
  const models = await requireModels(context);
  const takeFirstSnapshot = async (): Promise<Snapshot> => {
    const initialTrainer = await models.start(model.id);
    try {
      return await measureSnapshot(initialTrainer);
    } finally {
      initialTrainer.dispose();
    }
  };
  const firstSnapshot = await (cache ? cache.get('before', model.id, takeFirstSnapshot) : takeFirstSnapshot());
  return withModel(model.id, context, async (trainer) => {
    const lastSnapshot = { ...(await measureSnapshot(trainer)), step: model.steps };
    return { spec: trainer.config, snapshots: [firstSnapshot, lastSnapshot] };
  });
}

export async function computeTableResults(spec: Spec, context: KindContext): Promise<TableResults> {
  const { engine, createTrainer } = context;
  const { task, seed, run: origin } = spec;
  const models = await requireModels(context);
  const model = await models.find(`${task}-learned`);
  const hasHeads = (await models.list()).some(({ id }) => id === 'text-learned');
  if (origin === 'recorded' && seed !== model.spec.seed)
    throw new SpecError('seed', `seed: ${strings.notRecorded(Number(model.spec.seed))}`);
  const firstCosines = new Map<Tensor, Promise<Tensor>>();
  const computeResults = async (snapshots: readonly Snapshot[], snapshotIndex: number): Promise<Omit<TableResults, keyof Training>> => {
    const [firstSnapshot, displayedSnapshot] = [snapshots[0] as Snapshot, snapshots[snapshotIndex] as Snapshot];
    // The cosines of the untrained table are computed only once per run.
    if (!firstCosines.has(firstSnapshot.rows)) firstCosines.set(firstSnapshot.rows, computeCosines(firstSnapshot.rows, engine));
    return {
      show: 'table',
      view,
      rows: displayedSnapshot.rows,
      cosinesBefore: (await firstCosines.get(firstSnapshot.rows)) as Tensor,
      cosinesAfter: await computeCosines(displayedSnapshot.rows, engine),
      neighbourCosine: displayedSnapshot.neighbourCosine,
      recordedCosine: model.metrics?.cosine_1 ?? Number.NaN,
      hasHeads,
    };
  };
  const modelState = { model, isHashVerified: models.canHash };
  if (origin === 'recorded') {
    const { spec: config, snapshots } = await loadRecordedSnapshots(model, context);
    return {
      ...(await computeResults(snapshots, 1)),
      ...modelState,
      origin,
      config,
      steps: snapshots.map(({ step }) => step),
      snapshotIndex: 1,
      isRunning: false,
      isPageHidden: false,
      canTrain: createTrainer !== undefined,
    };
  }
  if (!createTrainer) throw new SpecError('run', `run: ${strings.cannotTrain}`);
  const { computeLiveResults } = await import('./live.ts');
  const startTrainer = () => createTrainer({ ...model.spec, seed });
  return computeLiveResults(
    { key: `${model.id} ${seed}`, startTrainer, takeSnapshot: measureSnapshot, computeResults },
    modelState,
    spec,
    context,
  );
}
