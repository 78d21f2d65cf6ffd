import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { distanceProfile } from '../../../engine/analysis.ts';
import type { Tensor } from '../../../engine/index.ts';
import { computeBias, createBiasRequest } from '../../compute/bias.ts';
import {
  type BiasEntries,
  findBiasEntries,
  MAX_ENTRIES,
  type UnavailableEntries,
  withBias,
  withDefaultTensor,
} from '../../compute/bias-entries.ts';
import { count, encoding, type SpecOf } from '../../contract/fields.ts';
import { type Cursor, defineKind, makeProof } from '../../contract/kind.ts';
import { selectMatrix } from '../../contract/tensor.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding, relative to the largest bias. */
const TOLERANCE = 1e-5;
const MAX_READOUT_HEADS = 6;

const fields = {
  encoding: encoding('alibi', 'bias'),
  length: count(64, 1, 256),
  heads: count(4, 1, 16),
  dim: count(16, 1, 256),
  seed: count(1, 0, 2 ** 32 - 1),
};
export type Spec = SpecOf<typeof fields>;

interface Results {
  /** The biases of the middle query, [heads, keys]. */
  readonly curves: Tensor;
  readonly query: number;
  readonly spread: number;
  /** The encoding's learned tensor, which the user edits by dragging the curves. */
  readonly entries: BiasEntries | UnavailableEntries;
}

const isEncodingWithId = (id: string, provided: unknown): boolean =>
  (typeof provided === 'string' ? provided.trim().split(/\s/)[0] : (provided as { readonly id?: string } | undefined)?.id) === id;

/** Returns the index in `curves` of the point at the cursor, or undefined if there is none. */
function findPoint({ query }: Results, { length, heads }: Spec, { distance, head }: Cursor): number | undefined {
  const key = (distance ?? Number.NaN) + query;
  return isIndex(key, length) && isIndex(head, heads) ? head * length + key : undefined;
}

const selectCurve = ({ curves }: Results, head: number): Float32Array => {
  const keyCount = entryAt(curves.shape, 1);
  return curves.data.subarray(head * keyCount, (head + 1) * keyCount);
};

/** Selects the query at one position: [heads, positions, dim] becomes [heads, 1, dim]. */
function selectQuery({ shape: [heads = 1, length = 1, width = 1], data }: Tensor, index: number): Tensor {
  const rows = Array.from({ length: heads }, (_, head) => Array.from(data.subarray((head * length + index) * width).subarray(0, width)));
  return { shape: [heads, 1, width], data: Float32Array.from(rows.flat()) };
}

export const kind = defineKind({
  id: 'curve',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  aspect: 0.5,
  async compute(spec, { engine }): Promise<Results> {
    const { heads, length } = spec;
    const request = await createBiasRequest(spec, engine);
    const bias = await computeBias(request, engine);
    const queryPosition = Math.floor(length / 2);
    const data = new Float32Array(heads * length);
    let spread = 0;
    for (let head = 0; head < heads; head++) {
      const matrix = selectMatrix(bias, head);
      data.set(matrix.data.subarray(queryPosition * length, (queryPosition + 1) * length), head * length);
      spread = Math.max(spread, (await distanceProfile(engine, { matrix })).spread);
    }
    const { q } = request;
    const keyPositions = Array.from({ length }, (_, key) => key);
    const entries = await findBiasEntries(request.encoding, { q: selectQuery(q, queryPosition), queryPosition, keyPositions }, engine);
    return { curves: { shape: [heads, length], data }, query: queryPosition, spread, entries };
  },
  scene(results, { heads, length }, frame) {
    return curveScene({
      ...frame,
      x: Array.from({ length }, (_, key) => key - results.query),
      firstIndex: -results.query,
      axis: 'distance',
      seriesAxis: 'head',
      series: Array.from({ length: heads }, (_, head) => ({ name: strings.headName(head + 1), id: head, y: selectCurve(results, head) })),
      title: strings.question,
      xTitle: strings.distance,
      yTitle: strings.bias,
    });
  },
  dragging: {
    field: 'encoding',
    fields(results, spec, cursor, value) {
      const { entries } = results;
      const point = findPoint(results, spec, cursor);
      if (!('values' in entries) || point === undefined) return undefined;
      const encoding = withBias(spec.encoding, entries, point, value);
      // Sets `heads` explicitly, because the edited tensor fits only this number of heads.
      return encoding && { encoding, heads: spec.heads };
    },
    hint({ entries }, { encoding: { id } }) {
      if ('values' in entries) return strings.drag.dragHint(entries.param);
      return entries.reason === 'many'
        ? strings.drag.tooManyEntries(entries.count, MAX_ENTRIES)
        : strings.drag.notDraggable(id, entries.readsContent);
    },
  },
  actions({ entries }, { encoding: currentEncoding }, { encoding: previousEncoding } = {}) {
    if (!('values' in entries)) return [];
    const { isSet } = entries;
    // Resetting restores the encoding from before the edits, or the default tensor if there was none.
    const resetEncoding = isSet && isEncodingWithId(currentEncoding.id, previousEncoding) ? previousEncoding : undefined;
    const label = isSet && !resetEncoding ? strings.drag.defaultsLabel : strings.drag.resetLabel;
    return [{ label, fields: () => ({ encoding: resetEncoding ?? withDefaultTensor(currentEncoding, entries) }), disabled: !isSet }];
  },
  readout(results, spec, cursor) {
    const { heads, length } = spec;
    const { distance, head } = cursor;
    const key = (distance ?? Number.NaN) + results.query;
    if (distance === undefined || !isIndex(key, length)) {
      const { min, max } = extent(results.curves.data);
      return strings.rangeReadout(results.query, formatRange(min, max));
    }
    const shownHeads = isIndex(head, heads)
      ? [head]
      : Array.from({ length: Math.min(heads, MAX_READOUT_HEADS) }, (_, shownHead) => shownHead);
    const values = shownHeads.map((shownHead) =>
      strings.headValue(strings.headName(shownHead + 1), formatNumber(entryAt(selectCurve(results, shownHead), key))),
    );
    const { entries } = results;
    const point = findPoint(results, spec, cursor);
    if ('values' in entries && point !== undefined && entries.gain[point] !== 0) {
      const valueIndex = entryAt(entries.entryIndex, point);
      values.push(strings.entryReadout(entries.param, valueIndex, heads, formatNumber(entryAt(entries.values.data, valueIndex))));
    }
    return strings.distanceReadout(formatNumber(distance, { short: true, digits: 6 }), values.join(', '));
  },
  proof({ curves, spread }) {
    const { min, max } = extent(curves.data);
    return makeProof(strings.proof, spread, TOLERANCE * Math.max(1, Math.abs(min), Math.abs(max)));
  },
  tables({ curves, query }, { heads, length }) {
    return [
      {
        name: 'curves',
        title: strings.bias,
        tensor: curves,
        rowTitle: strings.bias,
        columnTitle: strings.distance,
        rows: Array.from({ length: heads }, (_, head) => strings.headName(head + 1)),
        columns: Array.from({ length }, (_, key) => String(key - query)),
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
