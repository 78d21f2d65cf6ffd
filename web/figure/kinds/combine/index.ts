import { arrangeInGrid, composeScenes, fitColumns, stackScenes } from '../../../charts/compose.ts';
import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { entryAt, isIndex, lastEntry } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { commonRange, matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { capitalize, formatNumber } from '../../../charts/number.ts';
import type { Scene } from '../../../charts/scene.ts';
import { linearProbe, permutationError, similarity as rowSimilarity } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import { createPositionLabels, createTableRequest } from '../../compute/table-rows.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, isLowHeight } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { strings } from './strings.ts';

const COMBINE_MODES = ['add', 'concatenate'] as const;
/** Tolerance for float32 rounding in dot products, relative to the largest dot product. */
const TOLERANCE = 1e-6;
/** Minimum width of a panel with its title, px. */
const MIN_PANEL_WIDTH = 270;

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  length: count(128, 4, 512),
  dim: count(16, 1, 256),
  seed: count(1, 0, 1_000_000),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'combine',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  aspect: 0.9,
  async compute({ encoding: choice, length, dim, seed }, { engine, signal }) {
    const table = await engine.positionTable(createTableRequest({ encoding: choice, length, dim, positionOffset: 0 }));
    // Takes the shape from the table, because some encodings determine the table's width themselves.
    const x = await engine.randomNormal({ seed, shape: table.shape });
    const computeDotProducts = (rows: Tensor): Promise<Tensor> => rowSimilarity(engine, { table: rows, metric: 'dot' });
    const sumOfParts = await engine.combine({ x: await computeDotProducts(x), table: await computeDotProducts(table) });
    const rowOrder = Array.from({ length }, (_, row) => row);
    const results = [];
    for (const mode of COMBINE_MODES) {
      signal?.throwIfAborted();
      const combinedRows = await engine.combine({ x, table, mode });
      const { maxAbsDiff } = await permutationError(engine, {
        before: await computeDotProducts(combinedRows),
        after: sumOfParts,
        order: rowOrder,
      });
      const similarity = await rowSimilarity(engine, { table: combinedRows });
      results.push({
        mode,
        width: lastEntry(combinedRows.shape),
        similarity,
        maxCrossTerm: maxAbsDiff,
        probe: await linearProbe(engine, { table: combinedRows }),
      });
    }
    const wordProbe = await linearProbe(engine, { table: x });
    const { min, max } = extent(sumOfParts.data);
    return { results, wordRSquared: wordProbe.rSquared, maxProduct: Math.max(Math.abs(min), Math.abs(max)) };
  },
  scene({ results }, { length }, frame) {
    const { columns, each: panelWidth } = fitColumns(results.length, frame.width, MIN_PANEL_WIDTH, 32);
    const range = commonRange(results.map(({ similarity }) => toGrid(similarity)));
    const positions = Float32Array.from({ length }, (_, row) => row);
    const [yMin, yMax] = [Math.min(0, ...selectHeldOutPredictions(results)), Math.max(length - 1, ...selectHeldOutPredictions(results))];
    const scenes = results.map(({ mode, width, similarity, probe }) => {
      const heading = capitalize(strings.panelTitle(strings.modeNames[mode], width));
      const matrix = matrixScene({
        theme: frame.theme,
        width: panelWidth,
        maxHeight: Math.min(380, (frame.maxHeight ?? 380) - (isLowHeight(frame.maxHeight) ? 24 : 0)),
        grid: toGrid(similarity),
        scale: 'sequential',
        ...(range ? { range } : {}),
        title: heading,
        quantity: strings.similarity,
        rowAxis: 'query',
        columnAxis: 'key',
        rowTitle: strings.position,
        columnTitle: strings.position,
      });
      if (isLowHeight(frame.maxHeight)) return stackUnderTitle(heading, [matrix]);
      const curve = curveScene({
        title: heading,
        width: panelWidth,
        height: 220,
        x: positions,
        axis: 'query',
        series: [
          { name: strings.trueSeries, y: positions, tone: 'muted', dashed: true },
          // The probe is fitted to the even rows, so only its predictions for the odd rows are drawn.
          {
            name: strings.predictedSeries,
            y: probe.predictions.data.map((value, row) => (row % 2 === 1 ? value : Number.NaN)),
            shape: 'dots',
            tone: 'accent',
          },
        ],
        yDomain: [yMin, yMax],
        xTitle: strings.position,
        yTitle: strings.probeAxisTitle(strings.predictedSeries, formatNumber(probe.rSquared), formatNumber(probe.meanAbsoluteError)),
      });
      return stackUnderTitle(heading, [matrix, curve]);
    });
    return arrangeInGrid(scenes, { title: strings.question }, { columns, each: panelWidth }, 32);
  },
  readout({ results, wordRSquared }, { length }, { query, key }) {
    const [added, concatenated] = results as [(typeof results)[0], (typeof results)[0]];
    if (isIndex(query, length) && isIndex(key, length)) {
      const [addedText, concatenatedText] = results.map(({ similarity }) => formatNumber(entryAt(similarity.data, query * length + key)));
      return strings.pairReadout(query, key, addedText as string, concatenatedText as string);
    }
    if (isIndex(query, length)) {
      const [addedText, concatenatedText] = results.map(({ probe }) => formatNumber(entryAt(probe.predictions.data, query)));
      return strings.positionReadout(query, addedText as string, concatenatedText as string);
    }
    return strings.probeReadout(
      formatNumber(wordRSquared),
      formatNumber(added.probe.rSquared),
      formatNumber(added.probe.meanAbsoluteError),
      formatNumber(concatenated.probe.rSquared),
      formatNumber(concatenated.probe.meanAbsoluteError),
    );
  },
  proof({ results, maxProduct }) {
    const [added, concatenated] = results as [(typeof results)[0], (typeof results)[0]];
    const tolerance = TOLERANCE * Math.max(1, maxProduct);
    return {
      quantity: strings.proof.quantity,
      residual: concatenated.maxCrossTerm,
      tolerance,
      toleranceSource: strings.proof.toleranceSource,
      conclusion:
        concatenated.maxCrossTerm <= tolerance
          ? strings.proof.passes(formatNumber(added.maxCrossTerm), formatNumber(maxProduct))
          : strings.proof.fails,
    };
  },
  tables({ results }, { length }) {
    const rows = createPositionLabels(length, 0);
    const data = Float32Array.from(
      { length: 2 * length },
      (_, index) => results[index % 2]?.probe.predictions.data[Math.floor(index / 2)] as number,
    );
    return [
      ...results.map(({ mode, similarity }) => ({
        name: mode === 'add' ? 'added' : 'concatenated',
        title: `${strings.similarity}, ${strings.modeNames[mode]}`,
        tensor: similarity,
        rowTitle: strings.position,
        columnTitle: strings.position,
      })),
      {
        name: 'predictions',
        title: strings.predictionsTitle,
        tensor: { shape: [length, 2], data },
        rowTitle: strings.position,
        columnTitle: strings.predictedPosition,
        rows,
        columns: COMBINE_MODES.map((mode) => strings.modeNames[mode]),
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});

function stackUnderTitle(title: string, parts: readonly Scene[]): Scene {
  const stackedScene = stackScenes(parts, { title }, 14);
  return composeScenes([{ scene: stackedScene, x: 0, y: 24 }], { title }, [
    { kind: 'text', tone: 'ink', bold: true, size: 13, x: 0, y: 9, text: title },
  ]);
}

type ProbeResult = { readonly probe: { readonly predictions: Tensor } };
const selectHeldOutPredictions = (results: readonly ProbeResult[]): number[] =>
  results.flatMap(({ probe }) => Array.from(probe.predictions.data).filter((_, row) => row % 2 === 1));
