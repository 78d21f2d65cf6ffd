import { curveScene } from '../../../charts/curve-scene.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { tableRequest } from '../../compute/table-rows.ts';
import { distanceProof } from '../../compute/table-similarity.ts';
import { choice, count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind } from '../../contract/kind.ts';
import { words } from './strings.ts';

/** Signed distances of a square of that many rows. */
const distances = (entries: number): number[] => Array.from({ length: entries }, (_, entry) => entry - (entries - 1) / 2);

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  measure: choice('dot', 'cosine'),
  length: count(64, 1, 1024),
  width: count(64, 1, 1024),
  offset: count(0, 0, 1_000_000),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'distance',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  aspect: 0.5,
  async compute(spec, { engine }) {
    const table = await engine.table(tableRequest(spec));
    const matrix = await engine.similarity({ table, measure: spec.measure });
    return engine.distanceProfile({ matrix });
  },
  scene({ mean, min, max }, { measure }, frame) {
    const x = distances(mean.data.length);
    return curveScene({
      ...frame,
      x,
      first: entryAt(x, 0),
      axis: 'distance',
      series: [{ name: words.line, y: mean.data, low: min.data, high: max.data }],
      title: words.question,
      xTitle: words.distance,
      yTitle: words.measures[measure],
      // The range of cosines; rounding may take one a little beyond 1.
      ...(measure === 'cosine' ? { yDomain: [extent(min.data).min < 0 ? -1 : 0, 1] as const } : {}),
    });
  },
  readout({ mean, min, max }, { measure }, { distance }) {
    const entry = (distance ?? Number.NaN) + (mean.data.length - 1) / 2;
    if (distance === undefined || !isIndex(entry, mean.data.length)) {
      const { min: low, max: high } = extent(mean.data);
      return words.range(words.measures[measure], formatRange(low, high));
    }
    const [smallest, largest] = [entryAt(min.data, entry), entryAt(max.data, entry)];
    return words.at(
      words.measures[measure],
      formatNumber(distance, { short: true, digits: 6 }),
      formatNumber(entryAt(mean.data, entry)),
      formatNumber(smallest),
      formatNumber(largest),
    );
  },
  proof: ({ min, max, spread }, { measure }) => distanceProof(words, measure, spread, min.data, max.data),
  tables({ mean, min, max }, { measure }) {
    const entries = mean.data.length;
    const data = Float32Array.from({ length: 3 * entries }, (_, at) => [mean, min, max][at % 3]?.data[Math.floor(at / 3)] as number);
    return [
      {
        name: 'profile',
        title: words.measures[measure],
        tensor: { shape: [entries, 3], data },
        rowTitle: words.distance,
        columnTitle: words.measures[measure],
        rows: distances(entries).map(String),
        columns: words.statistics,
      },
    ];
  },
  code: () => import('./code.ts'),
});
