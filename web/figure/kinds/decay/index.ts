import { curveScene } from '../../../charts/curve-scene.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { formatNumber } from '../../../charts/number.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { type Decay, decayNumbers } from './compute.ts';
import { words } from './strings.ts';

const fields = {
  encoding: encoding('rope', { ids: ['rope', 'xpos'] }),
  width: count(64, 2, 256),
  length: count(256, 2, 2048),
  seed: count(1, 0, 2 ** 31 - 1),
};
export type Spec = SpecOf<typeof fields>;

const column = ({ decay }: Decay, at: number): Float32Array =>
  Float32Array.from({ length: entryAt(decay.shape, 0) }, (_, row) => entryAt(decay.data, 3 * row + at));

export const kind = defineKind({
  id: 'decay',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  aspect: 0.5,
  compute: (spec, { engine }) => decayNumbers(spec, engine),
  scene(numbers, { length }, frame) {
    return curveScene({
      ...frame,
      x: Array.from({ length }, (_, distance) => distance),
      axis: 'distance',
      series: [
        { name: words.equal, y: column(numbers, 0) },
        { name: words.bound, y: column(numbers, 1), dashed: true },
        { name: words.random, y: column(numbers, 2) },
      ],
      title: words.question,
      xTitle: words.distance,
      yTitle: words.score,
    });
  },
  readout(numbers, { length }, { distance }) {
    if (distance === undefined || !Number.isInteger(distance) || distance < 0 || distance >= length) {
      const equal = column(numbers, 0);
      const lowest = equal.reduce((least, value, at) => (value < entryAt(equal, least) ? at : least), 0);
      return words.range(formatNumber(entryAt(equal, lowest)), String(lowest));
    }
    const [equal, bound, random] = Array.from(numbers.decay.data.subarray(3 * distance, 3 * distance + 3), (value) =>
      formatNumber(value),
    ) as [string, string, string];
    return words.at(String(distance), equal, bound, random);
  },
  proof: ({ residual }, { length }) => makeProof(words.proof, residual, 1e-6 + length * 2 ** -23),
  tables({ decay }, { length }) {
    return [
      {
        name: 'decay',
        title: words.score,
        tensor: decay,
        rowTitle: words.distance,
        columnTitle: words.score,
        rows: Array.from({ length }, (_, distance) => String(distance)),
        columns: words.columns,
      },
    ];
  },
  code: () => import('./code.ts'),
});
