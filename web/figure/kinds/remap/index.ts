import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import { formatNumber } from '../../../charts/number.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { computeDistances } from './compute.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in scores of at most 1, and in angles at fractional distances. */
const TOLERANCE = 1e-5;

const fields = {
  encoding: encoding('rope remap=self_extend window=16 group=4', { ids: ['rope'] }),
  length: count(64, 2, 256),
  dim: count(32, 2, 256),
};
export type Spec = SpecOf<typeof fields>;

const shortNumber = (value: number): string => formatNumber(value, { short: true });

export const kind = defineKind({
  id: 'remap',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  mainFields: ['remap', 'window', 'group'],
  fields,
  aspect: 1,
  compute: (spec, { engine }) => computeDistances(spec, engine),
  scene({ distances }, _, frame) {
    return matrixScene({
      ...frame,
      grid: toGrid(distances),
      scale: 'sequential',
      title: strings.question,
      quantity: strings.distance,
      unit: strings.unit,
      masked: strings.maskedLabel,
      rowAxis: 'query',
      columnAxis: 'key',
      rowTitle: strings.query,
      columnTitle: strings.key,
    });
  },
  readout({ distances: { data } }, { length }, { query, key }) {
    if (!isIndex(query, length) || !isIndex(key, length)) return strings.rangeReadout(shortNumber(extent(data).max), String(length - 1));
    const distance = entryAt(data, query * length + key);
    return Number.isNaN(distance) ? strings.maskedReadout(query, key) : strings.cellReadout(query, key, shortNumber(distance));
  },
  proof: ({ residual }) => makeProof(strings.proof, residual, TOLERANCE),
  tables({ distances }) {
    return [{ name: 'distances', title: strings.distance, tensor: distances, rowTitle: strings.query, columnTitle: strings.key }];
  },
  loadPrograms: () => import('./code.ts'),
});
