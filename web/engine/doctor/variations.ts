// Lists possible deviations from a claimed encoding. Each one is one fault; faults of different groups may occur together.

import type { EncodingConfig } from '../types/api.ts';
import { toBf16, toF16 } from './dump.ts';
import type { PairLayout, Planes } from './planes.ts';
import type { ReportParams } from './report.ts';
import {
  type Angles,
  baseOf,
  coordinatesOf,
  numberParam,
  type Parameters,
  removeScaling,
  type State,
  scalingOf,
  withParameters,
} from './state.ts';

type Group = 'planes' | 'frequencies' | 'positions' | 'gain';

export interface Variation {
  readonly id: string;
  readonly group: Group;
  readonly params: ReportParams;
  /** Returns the changed fields of the state. Throws if the core rejects the changed encoding. */
  readonly apply: (state: State) => Partial<State>;
}

const COMMON_BASES = [10000, 500000, 1e6, 1e5, 150000, 2e6, 5e6, 1e7, 8e6, 50000, 20000, 25000, 160000, 250000, 4e6];
const SCALING_FACTORS = [2, 4, 8, 16, 32, 40, 64];
/** Scalings that have a `factor` parameter. */
const SCALINGS = ['linear', 'ntk_aware', 'yarn'];
const CONTEXT_LENGTHS = [2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144];

const swapLayout = (layout: PairLayout) => (layout === 'half_split' ? 'interleaved' : 'half_split');

function replaceEncoding(angles: Angles, state: State, encoding: EncodingConfig): Partial<State> {
  const planes = angles.planesOf(encoding);
  const { layout, span, output } = state.planes;
  const newPlanes: Planes = { ...planes, layout, ...(span === undefined ? {} : { span }), ...(output === undefined ? {} : { output }) };
  return { encoding, planes: newPlanes, gain: angles.gainOf(encoding) };
}

/** Grid conventions that do not depend on the size of the grid. */
const GRID_CONVENTIONS = ['rope_vit', 'llama4', 'pixtral', 'qwen2_vl'];

const gridFields = (angles: Angles, encoding: EncodingConfig): Partial<State> => ({
  encoding,
  planes: angles.planesOf(encoding),
  isAlternating: false,
});

/** Returns the variations of `claim`. `other` is the encoding of the model's other type of layer. */
export function listVariations(angles: Angles, claim: State, other: EncodingConfig | undefined): Variation[] {
  const { encoding } = claim;
  const isRope = encoding.id === 'rope' || encoding.id === 'mrope';
  const variations: Variation[] = [...planeVariations(angles, claim)];
  const addFrequencies = (id: string, params: ReportParams, apply: Variation['apply']) =>
    variations.push({ id, group: 'frequencies', params, apply });
  const addChange = (id: string, params: ReportParams, changedParams: Parameters) =>
    addFrequencies(id, params, (state) => replaceEncoding(angles, state, withParameters(state.encoding, changedParams)));
  addFrequencies('rotated_twice', {}, ({ angleFactor, gain }) => ({ angleFactor: 2 * angleFactor, gain: gain * gain }));
  addFrequencies('reversed_direction', {}, ({ angleFactor }) => ({ angleFactor: -angleFactor }));
  if (isRope) {
    if (other && other.id !== 'none') {
      const params = { base: baseOf(other), scaling: scalingOf(other) };
      addFrequencies('other_layer_type', params, (state) => replaceEncoding(angles, state, other));
    }
    for (const [id, params, to] of scalingChanges(encoding, claim)) addChange(id, params, to);
    const factor = numberParam(encoding, 'factor', 4);
    const withoutScaling = (state: State) => replaceEncoding(angles, state, removeScaling(state.encoding));
    if (scalingOf(encoding) !== 'none') addFrequencies('scaling_missing', { scaling: scalingOf(encoding), factor }, withoutScaling);
    if (scalingOf(encoding) === 'linear')
      addFrequencies('scaling_inverted', { factor }, (state) => ({
        ...withoutScaling(state),
        angleFactor: state.angleFactor * factor,
      }));
    if (scalingOf(encoding) === 'none')
      for (const found of SCALING_FACTORS) addChange('scaling_unclaimed', { factor: found }, { scaling: 'linear', factor: found });
    if (claim.planes.rotaryDim < angles.dim) {
      const params = { found: angles.dim, claimed: claim.planes.rotaryDim };
      addFrequencies('exponent_by_head_width', params, (state) => {
        const base = baseOf(state.encoding) ** (state.planes.rotaryDim / angles.dim);
        return replaceEncoding(angles, state, withParameters(state.encoding, { base }));
      });
    }
    for (const base of COMMON_BASES.filter((value) => value !== baseOf(encoding)))
      addChange('wrong_base', { found: base, claimed: baseOf(encoding) }, { base });
  }
  if (encoding.id === 'rope_2d') {
    const claimed = String(encoding.convention ?? 'rope_vit');
    for (const found of GRID_CONVENTIONS.filter((value) => value !== claimed))
      addFrequencies('wrong_grid_convention', { found, claimed }, (state) =>
        gridFields(angles, withParameters(state.encoding, { convention: found })),
      );
    for (const base of [100, ...COMMON_BASES].filter((value) => value !== encoding.base))
      addFrequencies('wrong_base', { found: base, claimed: numberParam(encoding, 'base', 1) }, (state) =>
        gridFields(angles, withParameters(state.encoding, { base })),
      );
  }
  if (coordinatesOf(claim.positions)[0]?.length === 1) {
    for (const format of ['bf16', 'f16'] as const)
      for (const quantity of ['inv_freq', 'angles'] as const)
        addFrequencies('low_precision_angles', { format, where: quantity }, () => ({ rounding: { where: quantity, format } }));
  }
  return [...variations, ...positionVariations(claim)];
}

function planeVariations(angles: Angles, { planes, encoding }: State): Variation[] {
  const variations: Variation[] = [];
  const add = (id: string, params: ReportParams, apply: Variation['apply']) => variations.push({ id, group: 'planes', params, apply });
  const found = swapLayout(planes.layout);
  add('wrong_pairing', { found, claimed: planes.layout }, (state) => ({ planes: { ...state.planes, layout: found } }));
  add('output_reordered', { found, claimed: planes.layout }, (state) => ({ planes: { ...state.planes, output: found } }));
  if (encoding.id !== 'rope') return variations;
  const { dim } = angles;
  const maxDim = dim - planes.offset;
  const rotaryDims = [dim, dim / 2, dim / 4, (3 * dim) / 4, dim / 8, planes.rotaryDim * 2, planes.rotaryDim / 2];
  for (const rotaryDim of new Set(rotaryDims)) {
    if (rotaryDim === planes.rotaryDim || rotaryDim % 2 !== 0 || rotaryDim < 2 || rotaryDim > maxDim) continue;
    add('wrong_rotary_width', { found: rotaryDim, claimed: planes.rotaryDim }, (state) =>
      replaceEncoding(angles, state, withParameters(state.encoding, { rotary_dim: rotaryDim }, ['rotary_fraction', 'kept_fraction'])),
    );
  }
  if (planes.rotaryDim < dim) {
    if (planes.offset === 0 && planes.layout === 'half_split')
      add('pairs_across_head', { span: dim }, (state) => ({ planes: { ...state.planes, span: dim } }));
    for (const firstChannel of [0, dim - planes.rotaryDim].filter((value) => value !== planes.offset))
      add('wrong_rotary_slice', { found: firstChannel, claimed: planes.offset }, (state) =>
        replaceEncoding(
          angles,
          state,
          withParameters(state.encoding, { rotary_offset: firstChannel, rotary_dim: state.planes.rotaryDim }, ['rotary_fraction']),
        ),
      );
  }
  return variations;
}

function scalingChanges(encoding: EncodingConfig, { positions }: State): [string, ReportParams, Parameters][] {
  const scaling = scalingOf(encoding);
  if (scaling === 'none') return [];
  const variations: [string, ReportParams, Parameters][] = [];
  const factor = numberParam(encoding, 'factor', 4);
  const length = numberParam(encoding, 'original_length', 2048);
  if (scaling === 'linear' || scaling === 'ntk_aware') variations.push(['scaling_twice', { factor }, { factor: factor * factor }]);
  if (scaling === 'yarn' || scaling === 'by_parts') {
    const truncate = encoding.truncate === false;
    variations.push(['yarn_ramp_rounded', { truncate, claimed: !truncate }, { truncate }]);
  }
  if (scaling === 'longrope' || scaling === 'dynamic_ntk') {
    const claimedLength = numberParam(encoding, 'sequence_length', 0);
    if (scaling === 'longrope')
      variations.push([
        'longrope_factors_swapped',
        { found: claimedLength > length ? 'short' : 'long' },
        { sequence_length: claimedLength > length ? length : length + 1 },
      ]);
    else {
      const positionCount = Math.max(...coordinatesOf(positions).flat()) + 1;
      for (const found of new Set([0, positionCount, length * factor, length * 2, length * 4, ...CONTEXT_LENGTHS]))
        if (found !== claimedLength && (found === 0 || found > length))
          variations.push(['dynamic_ntk_length', { found, claimed: claimedLength }, { sequence_length: found }]);
    }
  }
  if (/^(yarn|by_parts|llama3|part_ntk|dynamic_ntk)$/.test(scaling))
    for (const found of new Set([length * factor, ...CONTEXT_LENGTHS]))
      if (found !== length) variations.push(['wrong_original_length', { found, claimed: length }, { original_length: found }]);
  for (const found of SCALINGS)
    if (found !== scaling && SCALINGS.includes(scaling))
      variations.push(['wrong_scaling', { found, claimed: scaling }, { scaling: found }]);
  if (scaling !== 'longrope')
    for (const found of SCALING_FACTORS.filter((value) => value !== factor))
      variations.push(['wrong_scaling_factor', { found, claimed: factor }, { factor: found }]);
  return variations;
}

function positionVariations({ positions, encoding }: State): Variation[] {
  const variations: Variation[] = [];
  const add = (id: string, params: ReportParams, apply: Variation['apply']) => variations.push({ id, group: 'positions', params, apply });
  const axisCount = coordinatesOf(positions)[0]?.length ?? 1;
  if (axisCount > 1) {
    const order = axisCount === 2 ? [1, 0] : [0, 2, 1];
    for (const offset of [1, -1])
      add('position_offset', { offset }, (state) => ({
        positions: coordinatesOf(state.positions).map((row) => row.map((position) => position + offset)),
      }));
    add('not_rotated', {}, () => ({ angleFactor: 0, gain: 1 }));
    const swap = (state: State) => ({ positions: coordinatesOf(state.positions).map((row) => order.map((axis) => row[axis] as number)) });
    add('axes_swapped', axisCount === 2 ? { order, ...gridBlocks } : { order }, swap);
    if (encoding.id === 'mrope') {
      const claimed = String(encoding.arrangement ?? 'contiguous');
      for (const found of ['contiguous', 'interleaved'].filter((value) => value !== claimed))
        add('wrong_sections', { found, claimed }, (state) => ({
          encoding: withParameters(state.encoding, { arrangement: found }),
        }));
      add('axes_ignored', {}, ({ tokens }) => ({ positions: tokens.map((token) => [token, token, token]) }));
      add('axes_ignored', { axis: 0 }, (state) => ({
        positions: coordinatesOf(state.positions).map(([time = 0]) => [time, time, time]),
      }));
    } else {
      add('wrong_sections', { found: 'alternate', claimed: 'blocks' }, () => ({ isAlternating: true }));
      add('axes_ignored', {}, ({ tokens }) => ({ positions: tokens.map((token) => [token, token]) }));
    }
    return variations;
  }
  const positionsOf = (state: State) => state.positions as readonly number[];
  const firstPosition = positionsOf({ positions } as State)[0] as number;
  for (const offset of [1, -1])
    add('position_offset', { offset }, (state) => ({ positions: positionsOf(state).map((position) => position + offset) }));
  for (const [format, round] of [
    ['bf16', toBf16],
    ['f16', toF16],
  ] as const)
    add('low_precision_positions', { format }, (state) => ({ positions: positionsOf(state).map(round) }));
  add('not_rotated', {}, () => ({ angleFactor: 0, gain: 1 }));
  if (firstPosition !== 0)
    add('positions_constant', { position: firstPosition }, (state) => ({
      positions: positionsOf(state).map(() => firstPosition),
    }));
  add('rotated_along_heads', {}, () => ({ heads: 'index' as const }));
  add('position_plus_head', {}, () => ({ heads: 'plus_index' as const }));
  return variations;
}

/** Block orders of a grid: the one that was found, and the claimed one, which has rows first. */
const gridBlocks = { found: 'blocks_xy', claimed: 'blocks_yx' };
