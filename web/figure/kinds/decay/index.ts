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

const column = ({ decay }: DecayResults, at: number): Float32Array =>
  Float32Array.from({ length: entryAt(decay.shape, 0) }, (_, row) => entryAt(decay.data, 3 * row + at));

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
        { name: strings.equal, y: column(results, 0) },
        { name: strings.bound, y: column(results, 1), dashed: true },
        { name: strings.random, y: column(results, 2) },
      ],
      title: strings.question,
      xTitle: strings.distance,
      yTitle: strings.score,
    });
  },
  readout(results, { length }, { distance }) {
    if (distance === undefined || !Number.isInteger(distance) || distance < 0 || distance >= length) {
      const equalScores = column(results, 0);
      const minScoreDistance = equalScores.reduce((least, value, at) => (value < entryAt(equalScores, least) ? at : least), 0);
      return strings.range(formatNumber(entryAt(equalScores, minScoreDistance)), String(minScoreDistance));
    }
    const [equal, bound, random] = Array.from(results.decay.data.subarray(3 * distance, 3 * distance + 3), (value) =>
      formatNumber(value),
    ) as [string, string, string];
    return strings.at(String(distance), equal, bound, random);
  },
  proof: ({ residual }, { length }) => makeProof(strings.proof, residual, 1e-6 + length * 2 ** -23),
  tables({ decay }, { length }) {
    return [
      {
        name: 'decay',
        title: strings.score,
        tensor: decay,
        rowTitle: strings.distance,
        columnTitle: strings.score,
        rows: Array.from({ length }, (_, distance) => String(distance)),
        columns: strings.columns,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
