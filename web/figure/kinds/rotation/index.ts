import { translateMark } from '../../../charts/compose.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatCount, formatNumber, formatRange } from '../../../charts/number.ts';
import type { Cursor } from '../../../charts/scene.ts';
import { computeRotation, type RotatedVector, type Rotation } from '../../compute/rotation.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import type { createAllPairsPanel } from './all-pairs.ts';
import { formatPosition } from './dial.ts';
import { fields, type Spec } from './fields.ts';
import { describeRotation, drawRotation, layoutForSpec } from './picture.ts';
import { getMatrixEntry, getTableRow } from './rows.ts';
import { strings } from './strings.ts';
import { createCursorNavigation, rotationSurface } from './surface.ts';

/** A rotation with the function that creates the panel of all pairs, which is undefined while the panel is closed. */
export interface RotationWithPanel extends Rotation {
  readonly allPairs: typeof createAllPairsPanel | undefined;
}

const GAP = 20;

/** Returns the values for the readout, at the cursor's positions if it has any, otherwise at the positions in the spec. */
function computeReadout(rotation: Rotation, spec: Spec, cursor: Cursor) {
  const isWithin = (index: number | undefined, indexCount: number): index is number =>
    index !== undefined && index >= 0 && index < indexCount;
  const getVectorResults = (name: 'query' | 'key') => {
    const cursorPosition = cursor[name];
    const row = getTableRow(isWithin(cursorPosition, spec.length) ? cursorPosition : undefined);
    return { ...rotation[name], row, position: formatPosition(row === 0 ? spec[name] : row - 1) };
  };
  const pairCount = rotation.channels.length;
  const [query, key] = [getVectorResults('query'), getVectorResults('key')];
  return {
    query,
    key,
    pair: isWithin(cursor.pair, pairCount) ? cursor.pair : Math.min(spec.pair, pairCount - 1),
    score: formatNumber(getMatrixEntry(rotation.scores, query.row, key.row)),
  };
}

export const kind = defineKind({
  id: 'rotation',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['encoding', 'base'],
  fields,
  // Not shared with linked figures, because the default seed was selected for this figure.
  unlinkedFields: ['seed'],
  aspect: 0.56,
  verdicts: strings.verdicts,
  hasOwnReadout: true,
  async compute(spec, { engine }): Promise<RotationWithPanel> {
    const [results, panel] = await Promise.all([
      computeRotation({ ...spec, encoding: withUsedParams(spec.encoding, engine.encodings) }, engine),
      spec.show === 'one_pair' ? undefined : import('./all-pairs.ts'),
    ]);
    return { ...results, allPairs: panel?.createAllPairsPanel };
  },
  scene(rotation, spec, { width, maxHeight }) {
    const view = {
      currentState: rotation.currentState,
      previousState: rotation.previousState,
      pair: Math.min(spec.pair, rotation.channels.length - 1),
    };
    const layout = layoutForSpec(spec, width, maxHeight);
    const panel = rotation.allPairs?.(rotation, spec, view, width);
    const panelY = layout.height + GAP;
    const picture = {
      width,
      height: panel ? panelY + panel.height : layout.height,
      title: strings.question,
      description: describeRotation(rotation, view),
      rasters: [],
      marks: [...drawRotation(rotation, layout, view), ...(panel?.marks ?? []).map((mark) => translateMark(mark, 0, panelY))],
    };
    // There is no overlay, because the surface redraws the picture when the cursor moves.
    return {
      picture,
      overlay: () => [],
      ...createCursorNavigation(spec, rotation.channels.length, layout, panel?.clockBoxes ?? [], panelY),
    };
  },
  surface: rotationSurface,
  readout(rotation, spec, cursor) {
    const { query, key, pair, score } = computeReadout(rotation, spec, cursor);
    if (cursor.pair === undefined) {
      const pairCountText = formatCount(rotation.channels.length, 'pair');
      return strings.rangeReadout(pairCountText, query.position, formatAngleRange(query), key.position, formatAngleRange(key), score);
    }
    const [a, b] = entryAt(rotation.channels, pair);
    const getAngleText = ({ angles, row }: typeof query): string => formatNumber(getMatrixEntry(angles, row, pair));
    return strings.pairReadout(pair, a, b, query.position, getAngleText(query), key.position, getAngleText(key), score);
  },
  proof({ residual, tolerance, isOneDimensional, startTokens }) {
    const failureText = !isOneDimensional
      ? strings.proof.failsForPatches
      : startTokens > 0
        ? strings.proof.failsForStartTokens(formatCount(startTokens, 'token'))
        : strings.proof.fails;
    return makeProof({ ...strings.proof, fails: failureText }, residual, tolerance);
  },
  tables({ query, key, scores, channels }, spec) {
    const { dim, length } = spec;
    const rows = [strings.rowLabel('q', formatPosition(spec.query)), strings.rowLabel('k', formatPosition(spec.key))];
    const stackedRows = (a: Float32Array, b: Float32Array, columns: number) => {
      const data = new Float32Array(2 * columns);
      data.set(a.subarray(0, columns));
      data.set(b.subarray(0, columns), columns);
      return { shape: [2, columns], data };
    };
    const scoreMatrix = new Float32Array(length * length);
    for (let row = 0; row < length; row++) {
      const rowStart = (row + 1) * (length + 1) + 1;
      scoreMatrix.set(scores.data.subarray(rowStart, rowStart + length), row * length);
    }
    const vectorTable = (name: 'q' | 'k', data: Float32Array) => ({
      name,
      title: strings.tables.beforeRotation(name),
      tensor: { shape: [dim], data },
      rowTitle: strings.channel,
      columnTitle: name,
    });
    return [
      vectorTable('q', query.beforeRotation),
      vectorTable('k', key.beforeRotation),
      {
        name: 'rotated',
        title: strings.tables.afterRotation,
        tensor: stackedRows(query.rotated.data, key.rotated.data, dim),
        rowTitle: strings.vector,
        columnTitle: strings.channel,
        rows,
      },
      {
        name: 'phases',
        title: strings.tables.phases,
        tensor: stackedRows(query.angles.data, key.angles.data, channels.length),
        rowTitle: strings.vector,
        columnTitle: strings.pair,
        rows,
      },
      {
        name: 'scores',
        title: strings.tables.scores,
        tensor: { shape: [length, length], data: scoreMatrix },
        rowTitle: strings.queryRow,
        columnTitle: strings.keyColumn,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});

/** Formats a range of angles: 'between 0.00158 and 5.00 rad', or '5.00 rad' for a single pair. */
function formatAngleRange({ angles, row }: Pick<RotatedVector, 'angles'> & { readonly row: number }): string {
  const pairCount = entryAt(angles.shape, 1);
  const { min, max } = extent(angles.data.subarray(row * pairCount, (row + 1) * pairCount));
  return min === max ? strings.angleInRadians(formatNumber(min)) : formatRange(min, max, 'rad');
}
