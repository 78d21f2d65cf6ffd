import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { computeDecay, type DecayResults } from './compute.ts';
import { strings } from './strings.ts';

const fields = {
  encoding: encoding('rope', { ids: ['rope', 'xpos'] }),
  dim: count(64, 2, 256),
  length: count(256, 2, 2048),
  seed: count(1, 0, 2 ** 31 - 1),
};
export type Spec = SpecOf<typeof fields>;

const selectColumn = ({ decay }: DecayResults, columnIndex: number): Float32Array =>
  Float32Array.from({ length: entryAt(decay.shape, 0) }, (_, row) => entryAt(decay.data, 3 * row + columnIndex));

export const kind = defineKind({
  id: 'decay',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  mainFields: ['encoding', 'base', 'length'],
  fields,
  aspect: 0.5,
  compute: (spec, { engine }) => computeDecay(spec, engine),
  scene(results, { length }, frame) {
    return curveScene({
      ...frame,
      x: Array.from({ length }, (_, distance) => distance),
      axis: 'distance',
      series: [
        { name: strings.equalVectors, y: selectColumn(results, 0) },
        { name: strings.scaledBound, y: selectColumn(results, 1), dashed: true },
        { name: strings.unrelatedVectors, y: selectColumn(results, 2) },
      ],
      title: strings.question,
      xTitle: strings.distanceTitle,
      yTitle: strings.scoreTitle,
    });
  },
  readout(results, { length }, { distance }) {
    if (distance === undefined || !Number.isInteger(distance) || distance < 0 || distance >= length) {
      const equalScores = selectColumn(results, 0);
      const minScoreDistance = equalScores.reduce(
        (minIndex, value, index) => (value < entryAt(equalScores, minIndex) ? index : minIndex),
        0,
      );
      return strings.lowestScoreReadout(formatNumber(entryAt(equalScores, minScoreDistance)), String(minScoreDistance));
    }
    const [equalScore, bound, unrelatedScore] = Array.from(results.decay.data.subarray(3 * distance, 3 * distance + 3), (value) =>
      formatNumber(value),
    ) as [string, string, string];
    return strings.distanceReadout(String(distance), equalScore, bound, unrelatedScore);
  },
  proof: ({ residual }, { length }) => makeProof(strings.proof, residual, 1e-6 + length * 2 ** -23),
  tables({ decay }, { length }) {
    return [
      {
        name: 'decay',
        title: strings.scoreTitle,
        tensor: decay,
        rowTitle: strings.distanceTitle,
        columnTitle: strings.scoreTitle,
        rows: Array.from({ length }, (_, distance) => String(distance)),
        columns: strings.columnNames,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
