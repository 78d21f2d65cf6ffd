import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { Tensor, TensorInput } from '../../../engine/index.ts';
import { columnsOf, positionLabels, tableRequest } from '../../compute/table-rows.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { pointsScene } from './points-scene.ts';
import { words } from './strings.ts';

/** Coordinates are rounded to float32, 6e-8 of their size each. */
const TOLERANCE = 1e-6;

/** Whether there is variance beyond the plane: more than the rounding of two shares. */
const leavesOut = ({ data: [first = 0, second = 0] }: Tensor): boolean => 1 - first - second > 1e-6;

const percent = (share: number): string => formatNumber(100 * share, { short: true });

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  length: count(64, 2, 1024),
  width: count(64, 2, 1024),
  offset: count(0, 0, 1_000_000),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'plane',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  aspect: 0.7,
  play: { axis: 'query', count: (_, { length }) => length },
  async compute(spec, { engine }) {
    const table = await engine.table(tableRequest(spec));
    if (entryAt(table.shape, 1) < 2) throw new SpecError('width', words.narrow);
    const all = await engine.principalComponents({ table, components: entryAt(table.shape, 1) });
    const given = await engine.tableStatistics({ table });
    const turned = await engine.tableStatistics({ table: all.coordinates });
    const alone = (value: number): TensorInput => ({ shape: [1, 1], data: [value] });
    const { maxAbsDiff } = await engine.permutationError({
      before: alone(given.closestDistance),
      after: alone(turned.closestDistance),
      order: [0],
    });
    const ratio = all.explainedVarianceRatio;
    return {
      coordinates: columnsOf(all.coordinates, [0, 1]),
      explainedVarianceRatio: { shape: [2], data: ratio.data.subarray(0, 2) },
      maxAbsDiff,
      longest: given.maxNorm,
    };
  },
  scene({ coordinates, explainedVarianceRatio: { data } }, { offset }, frame) {
    const [x, y] = [columnsOf(coordinates, [0]).data, columnsOf(coordinates, [1]).data];
    const [first, second] = words.components.map((name, index) => words.axes(name, percent(entryAt(data, index))));
    return pointsScene({
      ...frame,
      x,
      y,
      values: Float32Array.from(x, (_, index) => index + offset),
      axis: 'query',
      connected: true,
      quantity: words.position,
      title: words.question,
      xTitle: first as string,
      yTitle: second as string,
    });
  },
  readout({ coordinates: { shape, data }, explainedVarianceRatio }, { offset }, { query }) {
    const [first, second] = Array.from(explainedVarianceRatio.data, percent);
    if (!isIndex(query, entryAt(shape, 0))) return words.range(first as string, second as string, leavesOut(explainedVarianceRatio));
    return words.at(query + offset, formatNumber(entryAt(data, 2 * query)), formatNumber(entryAt(data, 2 * query + 1)));
  },
  proof: ({ maxAbsDiff, longest }) => makeProof(words.proof, maxAbsDiff, TOLERANCE * Math.max(1, longest)),
  tables({ coordinates, explainedVarianceRatio }, { offset }) {
    return [
      {
        name: 'coordinates',
        title: words.question,
        tensor: coordinates,
        rowTitle: words.position,
        columnTitle: words.coordinate,
        rows: positionLabels(entryAt(coordinates.shape, 0), offset),
        columns: words.components,
      },
      {
        name: 'explained',
        title: words.explained,
        tensor: explainedVarianceRatio,
        rowTitle: words.coordinate,
        columnTitle: words.explained,
        rows: words.components,
      },
    ];
  },
  code: () => import('./code.ts'),
});
