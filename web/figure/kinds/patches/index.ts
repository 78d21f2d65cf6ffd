import { arrangeInGrid, fitColumns } from '../../../charts/compose.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatExact, formatNumber, formatRange } from '../../../charts/number.ts';
import { choice, count, encoding } from '../../contract/fields.ts';
import { defineKind, makeProof, type Proof } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { PHOTOGRAPH_SIDE } from '../../runtime/photographs.ts';
import { computePatches, countPatchesPerSide } from './compute.ts';
import { imageScene } from './image-scene.ts';
import { patchMapScene } from './patch-map-scene.ts';
import { arrangePixels } from './pixels.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding, relative to the largest output. */
const RELATIVE_TOLERANCE = 1e-5;
const computeTolerance = (maxAbsOutput: number): number => RELATIVE_TOLERANCE * Math.max(1, maxAbsOutput);
const MIN_SQUARE_SIDE = 230;
const GAP = 28;
const LABEL_SPACE = 100;
/** Figure height in px below which squares may shrink to NARROW_SQUARE_SIDE, so that three fit side by side. */
const LOW_HEIGHT = 340;
const NARROW_SQUARE_SIDE = 150;

const patchName = (index: number, patchesPerSide: number): string =>
  strings.patchLocation(Math.floor(index / patchesPerSide) + 1, (index % patchesPerSide) + 1);

export const kind = defineKind({
  id: 'patches',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields: {
    encoding: encoding('none', {
      ids: ['none', 'sinusoidal_grid', 'rope_2d', 'rope_mixed', 'sinusoidal', 'learned', 'rope', 'alibi'],
    }),
    arrangement: choice('shuffled', 'swapped', 'original'),
    picture: choice('astronaut', 'camera'),
    patch: choice('8', '4', '16'),
    chosen: count(10, 0, 255),
    partner: count(5, 0, 255),
    heads: count(4, 1, 48),
    head: count(1, 1, 48),
    projections: choice('identity', 'orthogonal'),
    seed: count(1, 0, 2 ** 32 - 1),
  },
  aspect: 0.36,
  compute: computePatches,
  scene({ order, embeddings, weights, differences, maxAbsOutput, trial }, spec, { width, theme, maxHeight = Number.POSITIVE_INFINITY }) {
    const patchesPerSide = countPatchesPerSide(spec);
    const { columns, each: maxSquareSide } = fitColumns(3, width, maxHeight < LOW_HEIGHT ? NARROW_SQUARE_SIDE : MIN_SQUARE_SIDE, GAP);
    const squareSide = columns === 3 ? Math.min(maxSquareSide, Math.max(120, maxHeight - LABEL_SPACE)) : maxSquareSide;
    const image = imageScene({
      rgba: arrangePixels(embeddings, Number(spec.patch), order),
      imageSide: PHOTOGRAPH_SIDE,
      patchesPerSide,
      cursorAxis: 'query',
      chosenPatch: spec.chosen,
      title: strings.imageTitle(spec.arrangement),
      description: strings.imageDescription(spec.picture, patchesPerSide),
      note: strings.imageNote(Number(spec.patch), 3 * Number(spec.patch) ** 2),
      width: squareSide,
    });
    const commonSpec = { patchesPerSide, width: squareSide, theme };
    const attention = patchMapScene({
      ...commonSpec,
      grid: toGrid(weights),
      rowAxis: 'query',
      chosenRow: spec.chosen,
      cursorAxis: 'key',
      quantity: strings.weight,
      getDomain: (row) => [
        0,
        extent(weights.data.subarray(row * patchesPerSide * patchesPerSide, (row + 1) * patchesPerSide * patchesPerSide)).max,
      ],
      title: (row) => strings.attentionTitle(patchName(row, patchesPerSide)),
    });
    const outputChange = patchMapScene({
      ...commonSpec,
      grid: { rows: 1, columns: patchesPerSide * patchesPerSide, data: differences.data },
      cursorAxis: 'query',
      quantity: strings.difference,
      // If all differences are rounding errors, widens the range so that they are drawn in the colour of 0.
      getDomain: () => [0, extent(differences.data).max > computeTolerance(maxAbsOutput) ? extent(differences.data).max : maxAbsOutput],
      title: () => (trial.isShownOrder ? strings.differencesTitle : strings.noMoveTitle),
    });
    return arrangeInGrid([image, attention, outputChange], { title: strings.question }, { columns, each: squareSide }, GAP);
  },
  readout({ order, weights, differences, maxAbsOutput }, spec, { query, key }) {
    const patchesPerSide = countPatchesPerSide(spec);
    const patches = patchesPerSide * patchesPerSide;
    const row = isIndex(query, patches) ? query : spec.chosen;
    if (isIndex(key, patches))
      return strings.weightReadout(
        patchName(row, patchesPerSide),
        patchName(key, patchesPerSide),
        formatNumber(entryAt(weights.data, row * patches + key)),
      );
    if (isIndex(query, patches)) {
      const from = patchName(entryAt(order, query), patchesPerSide);
      return strings.patchReadout(
        patchName(query, patchesPerSide),
        from,
        formatExact(entryAt(differences.data, query)),
        formatNumber(maxAbsOutput),
      );
    }
    const weightRange = extent(weights.data.subarray(row * patches, (row + 1) * patches));
    const weightsText = strings.weightsReadout(patchName(row, patchesPerSide), formatRange(weightRange.min, weightRange.max));
    const { max } = extent(differences.data);
    return max <= computeTolerance(maxAbsOutput)
      ? strings.equalOutputs(weightsText)
      : strings.differentOutputs(weightsText, formatNumber(max));
  },
  proof({ trial, maxAbsOutput }): Proof {
    const { shownOrder, testOrder } = strings.proof;
    return makeProof(
      { ...strings.proof, ...(trial.isShownOrder ? shownOrder : testOrder) },
      trial.maxAbsDiff,
      computeTolerance(maxAbsOutput),
    );
  },
  tables({ order, weights, differences, before, after, embeddings }, spec) {
    const patchesPerSide = countPatchesPerSide(spec);
    const positions = order.map((_, position) => patchName(position, patchesPerSide));
    const channels = { rowTitle: strings.patchTitle, columnTitle: strings.channelTitle, rows: positions };
    return [
      {
        name: 'differences',
        title: strings.tables.differences,
        tensor: differences,
        rowTitle: strings.patchTitle,
        columnTitle: strings.difference,
        rows: positions,
      },
      {
        name: 'weights',
        title: strings.tables.weights,
        tensor: weights,
        rowTitle: strings.patchTitle,
        columnTitle: strings.patchTitle,
        rows: positions,
        columns: positions,
      },
      { name: 'before', title: strings.tables.before, tensor: before, ...channels },
      { name: 'after', title: strings.tables.after, tensor: after, ...channels },
      {
        name: 'order',
        title: strings.tables.order,
        tensor: { shape: [order.length], data: Float32Array.from(order) },
        rowTitle: strings.patchTitle,
        columnTitle: strings.patchTitle,
        rows: positions,
      },
      { name: 'embeddings', title: strings.tables.embeddings, tensor: embeddings, ...channels },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
