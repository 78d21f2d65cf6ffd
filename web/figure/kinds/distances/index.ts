import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/matrix-scene.ts';
import { formatNumber } from '../../../charts/number.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { gridOf } from '../../contract/tensor.ts';
import { distanceNumbers } from './compute.ts';
import { words } from './strings.ts';

/** A mean of products of numbers that are rounded to float32 one by one, at angles that are rounded where distances are fractions. */
const TOLERANCE = 1e-5;

const fields = {
  encoding: encoding('rope remap=self_extend window=16 group=4', { ids: ['rope'] }),
  length: count(64, 2, 256),
  width: count(32, 2, 256),
};
export type Spec = SpecOf<typeof fields>;

const short = (value: number): string => formatNumber(value, { short: true });

export const kind = defineKind({
  id: 'distances',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  aspect: 1,
  compute: (spec, { engine }) => distanceNumbers(spec, engine),
  scene({ distances }, _, frame) {
    return matrixScene({
      ...frame,
      grid: gridOf(distances),
      scale: 'sequential',
      title: words.question,
      quantity: words.distance,
      unit: words.unit,
      masked: words.hidden,
      rowAxis: 'query',
      columnAxis: 'key',
      rowTitle: words.query,
      columnTitle: words.key,
    });
  },
  readout({ distances: { data } }, { length }, { query, key }) {
    if (!isIndex(query, length) || !isIndex(key, length)) return words.range(short(extent(data).max), String(length - 1));
    const distance = entryAt(data, query * length + key);
    return Number.isNaN(distance) ? words.none(query, key) : words.cell(query, key, short(distance));
  },
  proof: ({ residual }) => makeProof(words.proof, residual, TOLERANCE),
  tables({ distances }) {
    return [{ name: 'distances', title: words.distance, tensor: distances, rowTitle: words.query, columnTitle: words.key }];
  },
  code: () => import('./code.ts'),
});
