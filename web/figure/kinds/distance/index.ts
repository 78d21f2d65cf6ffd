import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { distanceProfile, similarity } from '../../../engine/analysis.ts';
import { createRowsActions, loadLearnedRows, rowsField, rowsHelp, rowsLabels, withTruncationNote } from '../../compute/learned-rows.ts';
import { createDistanceProof } from '../../compute/table-similarity.ts';
import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind } from '../../contract/kind.ts';
import { strings } from './strings.ts';

const listSignedDistances = (count: number): number[] => Array.from({ length: count }, (_, index) => index - (count - 1) / 2);

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  metric: choice('dot', 'cosine'),
  length: count(64, 1, 1024),
  dim: count(64, 1, 1024),
  positionOffset: count(0, 0, 1_000_000),
  ...rowsField,
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'distance',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  labels: rowsLabels,
  help: rowsHelp,
  aspect: 0.5,
  async compute(spec, context) {
    const { engine } = context;
    const { rows, request } = await loadLearnedRows(spec, context);
    const table = await engine.positionTable(request);
    const matrix = await similarity(engine, { table, metric: spec.metric });
    return { rows, ...(await distanceProfile(engine, { matrix })) };
  },
  scene({ mean, min, max }, { metric }, frame) {
    const x = listSignedDistances(mean.data.length);
    return curveScene({
      ...frame,
      x,
      firstIndex: entryAt(x, 0),
      axis: 'distance',
      series: [{ name: strings.meanLine, y: mean.data, low: min.data, high: max.data }],
      title: strings.question,
      xTitle: strings.distanceTitle,
      yTitle: strings.measures[metric],
      // The axis ends at 1, even if a cosine is slightly larger because of rounding.
      ...(metric === 'cosine' ? { yDomain: [extent(min.data).min < 0 ? -1 : 0, 1] as const } : {}),
    });
  },
  actions: ({ rows }, spec, before) => createRowsActions(rows, spec, before),
  readout({ rows, mean, min, max }, { metric }, { distance }) {
    const index = (distance ?? Number.NaN) + (mean.data.length - 1) / 2;
    if (distance === undefined || !isIndex(index, mean.data.length)) {
      const { min: low, max: high } = extent(mean.data);
      return withTruncationNote(strings.meanRangeReadout(strings.measures[metric], formatRange(low, high)), rows);
    }
    const [minSimilarity, maxSimilarity] = [entryAt(min.data, index), entryAt(max.data, index)];
    return strings.distanceReadout(
      strings.measures[metric],
      formatNumber(distance, { short: true, digits: 6 }),
      formatNumber(entryAt(mean.data, index)),
      formatNumber(minSimilarity),
      formatNumber(maxSimilarity),
    );
  },
  proof: ({ min, max, spread }, { metric }) => createDistanceProof(strings, metric, spread, min.data, max.data),
  tables({ mean, min, max }, { metric }) {
    const entryCount = mean.data.length;
    const data = Float32Array.from(
      { length: 3 * entryCount },
      (_, index) => [mean, min, max][index % 3]?.data[Math.floor(index / 3)] as number,
    );
    return [
      {
        name: 'profile',
        title: strings.measures[metric],
        tensor: { shape: [entryCount, 3], data },
        rowTitle: strings.distanceTitle,
        columnTitle: strings.measures[metric],
        rows: listSignedDistances(entryCount).map(String),
        columns: strings.statisticNames,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
