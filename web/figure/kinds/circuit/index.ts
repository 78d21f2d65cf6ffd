import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { createTrainingActions } from '../../compute/training-actions.ts';
import { type Action, type Cursor, defineKind, makeProof } from '../../contract/kind.ts';
import { computeCircuit, fields, findLastCompletePoint, NUM_POINTS, type Results, type Spec } from './compute.ts';
import { circuitScene, createModelNames, HEAD_AXES } from './scene.ts';
import { strings } from './strings.ts';

const TOLERANCE = 0.1;

/** Returns the head at the cursor: its model, and its index from 0 over both layers. */
function findPointedHead({ models }: Results, cursor: Cursor): { readonly line: number; readonly head: number } | undefined {
  for (const [line, axis] of HEAD_AXES.entries()) {
    const model = models[line];
    const head = cursor[axis];
    if (model && isIndex(head, model.layers * model.heads)) return { line, head };
  }
  return undefined;
}

/**
 * Returns the field values that remove a head. For a recording, they also select the last point, the only one with
 * recorded weights.
 */
const createRemovalFields = ({ origin }: Results, line: number, head: number) => ({
  ablatedHead: head + 1,
  ablatedModel: line === 0 ? 'first' : 'second',
  ...(origin === 'recorded' ? { snapshot: NUM_POINTS - 1 } : {}),
});

/**
 * Returns the field values that select a point. For a recording, they also restore all heads, because earlier points
 * have no recorded weights.
 */
const createSnapshotFields = ({ origin }: Results, snapshot: number) =>
  origin === 'recorded' ? { snapshot, ablatedHead: 0 } : { snapshot };

const canShowSnapshots = ({ origin, hasEarlierSteps, isRunning }: Results): boolean => !isRunning && (origin === 'live' || hasEarlierSteps);

function createHeadActions(results: Results, { ablatedHead, ablatedModel, ablation }: Spec): readonly Action[] {
  const { models, isRunning } = results;
  const [line, model] = ablatedHead > 0 && ablatedModel === 'second' ? [1, models[1]] : [0, models[0]];
  if (!model || isRunning) return [];
  if (ablatedHead === 0)
    return [
      { label: strings.removePreviousTokenHead, keys: ['1'], fields: () => createRemovalFields(results, line, model.previousTokenHead) },
      { label: strings.removeCopyingHead, keys: ['2'], fields: () => createRemovalFields(results, line, model.copyingHead) },
    ];
  return [
    { label: strings.restoreHead, keys: ['u'], fields: () => ({ ablatedHead: 0 }) },
    ablation === 'zero'
      ? { label: strings.replaceWithMean, keys: ['m'], fields: () => ({ ablation: 'mean' }) }
      : { label: strings.replaceWithZero, keys: ['m'], fields: () => ({ ablation: 'zero' }) },
  ];
}

function createSnapshotActions(results: Results, { snapshot }: Spec): readonly Action[] {
  const lastPoint = findLastCompletePoint(results);
  if (!canShowSnapshots(results) || lastPoint < 0) return [];
  const displayedPoint = Math.min(snapshot, lastPoint);
  return [
    {
      label: strings.earlierSnapshot,
      keys: [','],
      fields: () => createSnapshotFields(results, displayedPoint - 1),
      disabled: displayedPoint === 0,
    },
    {
      label: strings.laterSnapshot,
      keys: ['.'],
      fields: () => createSnapshotFields(results, displayedPoint + 1),
      disabled: displayedPoint === lastPoint,
    },
  ];
}

export const kind = defineKind({
  id: 'circuit',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: strings.labels,
  help: strings.help,
  unlinkedFields: ['seed'],
  trainable: ({ run }) => (run === 'live' ? import('../../surface/paced.ts') : undefined),
  isTrained: true,
  aspect: 1,
  compute: computeCircuit,
  scene: circuitScene,
  choose(results, spec, cursor) {
    if (results.isRunning) return undefined;
    const pointedHead = findPointedHead(results, cursor);
    if (pointedHead) {
      const fields = createRemovalFields(results, pointedHead.line, pointedHead.head);
      return fields.ablatedHead === spec.ablatedHead && fields.ablatedModel === spec.ablatedModel ? { ablatedHead: 0 } : fields;
    }
    const isSnapshot = canShowSnapshots(results) && isIndex(cursor.step, findLastCompletePoint(results) + 1);
    return isSnapshot ? createSnapshotFields(results, cursor.step as number) : undefined;
  },
  actions: (results, spec) => [
    ...createHeadActions(results, spec),
    ...createSnapshotActions(results, spec),
    ...createTrainingActions(results, spec.seed, strings),
  ],
  readout(results, spec, cursor) {
    const { models, inputWords, steps, loss, previous, matching } = results;
    const names = createModelNames(spec);
    const pointedHead = findPointedHead(results, cursor);
    if (pointedHead) {
      const { heads, maps, previous: previousScores, matching: matchingScores } = models[pointedHead.line] as Results['models'][number];
      const formatScore = (value: number | undefined): string => formatNumber(value ?? Number.NaN);
      const scoresText = strings.headReadout(
        names[pointedHead.line] as string,
        strings.headName(pointedHead.head + 1, heads),
        formatScore(previousScores[pointedHead.head]),
        formatScore(matchingScores[pointedHead.head]),
      );
      const { query, key } = cursor;
      const wordCount = inputWords.length;
      if (!isIndex(query, wordCount) || !isIndex(key, wordCount) || key > query) return scoresText;
      return (
        scoresText +
        strings.weightSuffix(
          inputWords[query] as string,
          inputWords[key] as string,
          formatNumber(entryAt(maps.data, (pointedHead.head * wordCount + query) * wordCount + key)),
        )
      );
    }
    const point = isIndex(cursor.step, NUM_POINTS) ? cursor.step : findLastCompletePoint(results);
    const values = names.map((name, line) => {
      const [lossText, previousScore, matchingScore] = [loss, previous, matching].map(({ data }) =>
        formatNumber(entryAt(data, line * NUM_POINTS + Math.max(0, point))),
      ) as [string, string, string];
      return `${name} ${strings.loss} ${lossText}, ${strings.scorePair(previousScore, matchingScore)}`;
    });
    return strings.stepReadout(point < 0 ? 0 : entryAt(steps, point), values.join('; '));
  },
  proof({ models, recordedScores, previous, matching }) {
    const differences = recordedScores.flatMap(([previousScore, copyingScore], line) => {
      const model = models[line];
      const lastIndex = (line + 1) * NUM_POINTS - 1;
      const measuredScores = model
        ? [model.previous[model.previousTokenHead], model.matching[model.copyingHead]]
        : [previous.data[lastIndex], matching.data[lastIndex]];
      return [previousScore, copyingScore].map((value, scoreIndex) => Math.abs((measuredScores[scoreIndex] ?? Number.NaN) - value));
    });
    return makeProof(strings.proof, differences.every(Number.isFinite) ? Math.max(...differences) : 1, TOLERANCE);
  },
  verdicts: strings.verdicts,
  tables({ steps, loss, previous, matching, models }, spec) {
    const names = createModelNames(spec);
    const curveAxes = { rowTitle: strings.line, columnTitle: strings.step, rows: [...names], columns: steps.map(String) };
    const curves = [
      { name: 'loss', title: strings.tableTitles.loss, tensor: loss, ...curveAxes },
      { name: 'previous', title: strings.tableTitles.previous, tensor: previous, ...curveAxes },
      { name: 'matching', title: strings.tableTitles.matching, tensor: matching, ...curveAxes },
    ];
    if (models.length === 0) return curves;
    const { heads: headCount } = models[0] as Results['models'][number];
    return [
      ...curves,
      {
        name: 'composition',
        title: strings.tableTitles.composition,
        tensor: {
          shape: [models.length * headCount, headCount],
          data: Float32Array.from(models.flatMap(({ composition }) => [...composition.data])),
        },
        rowTitle: strings.tableTitles.writerTitle,
        columnTitle: strings.tableTitles.readerTitle,
        rows: names.flatMap((name) => Array.from({ length: headCount }, (_, head) => `${name} ${head + 1}`)),
        columns: Array.from({ length: headCount }, (_, head) => String(head + 1)),
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
