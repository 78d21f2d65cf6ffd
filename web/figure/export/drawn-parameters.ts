// Draws random values for learned parameters that the spec does not set, with the algorithms of cpp/include/phasor/random.h. Exported
// programs read them as data.
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import { createParamReader } from '../contract/parameters.ts';

export interface EncodingDims {
  readonly heads?: number;
  readonly headDim?: number;
  /** Channels per embedding; default: heads * headDim. */
  readonly embedDim?: number;
  /** Number of coordinates per position; default: 1. */
  readonly axes?: number;
}

const numel = (shape: readonly number[]): number => shape.reduce((product, extent) => product * extent, 1);
const toUint64 = (value: bigint): bigint => BigInt.asUintN(64, value);

/** Draws uniform random numbers in (0, 1) with splitmix64 (Steele, Lea and Flood 2014). */
function drawUniform(seed: number, count: number): Float64Array {
  let state = BigInt(seed);
  return Float64Array.from({ length: count }, () => {
    state = toUint64(state + 0x9e3779b97f4a7c15n);
    const firstMix = toUint64((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    const secondMix = toUint64((firstMix ^ (firstMix >> 27n)) * 0x94d049bb133111ebn);
    return (Number((secondMix ^ (secondMix >> 31n)) >> 11n) + 0.5) * 2 ** -53;
  });
}

/** Draws random numbers from N(0, std²) with the Box-Muller transform. */
export function randomNormal(seed: number, shape: readonly number[], std = 1): Tensor {
  const count = numel(shape);
  const u = drawUniform(seed, count + (count % 2));
  const data = Float32Array.from({ length: count }, (_, index) => {
    const evenIndex = index - (index % 2);
    const angle = 2 * Math.PI * (u[evenIndex + 1] ?? 0);
    return std * Math.fround(Math.sqrt(-2 * Math.log(u[evenIndex] ?? 1)) * (index % 2 === 0 ? Math.cos(angle) : Math.sin(angle)));
  });
  return { shape, data };
}

function randomUniform(seed: number, shape: readonly number[], from: number, to: number): Tensor {
  return { shape, data: Float32Array.from(drawUniform(seed, numel(shape)), (u) => from + (to - from) * u) };
}

/** Draws a layer's random projections: three matrices [dim, dim] whose rows are drawn from N(0, 1) and then orthonormalized in order. */
export function orthogonalProjections(seed: number, dim: number): Tensor {
  const data = new Float32Array(3 * dim * dim);
  for (let matrix = 0; matrix < 3; matrix++) {
    const normals = randomNormal((3 * seed + matrix) % 2 ** 32, [dim, dim]).data;
    const unitRows: Float64Array[] = [];
    for (let row = 0; row < dim; row++) {
      const vector = Float64Array.from(normals.subarray(row * dim, (row + 1) * dim));
      for (const otherRow of unitRows) {
        const product = otherRow.reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0);
        otherRow.forEach((value, index) => {
          vector[index] = (vector[index] ?? 0) - product * value;
        });
      }
      const norm = Math.hypot(...vector);
      const unitRow = vector.map((value) => value / norm);
      unitRows.push(unitRow);
      data.set(unitRow, (matrix * dim + row) * dim);
    }
  }
  return { shape: [3, dim, dim], data };
}

type ParamReader = (name: string) => string | number | boolean;
/** Draws an encoding's random arrays. Each array has its own random stream. */
interface ArraySampler {
  normal(stream: number, shape: readonly number[], std: number): Tensor;
  uniform(stream: number, shape: readonly number[], from: number, to: number): Tensor;
}
type EncodingSizes = Required<EncodingDims>;
type ParamSampler = (param: ParamReader, sizes: EncodingSizes, draw: ArraySampler) => { readonly [name: string]: Tensor };

const drawKerple = (isLogarithmic: boolean, heads: number, { uniform }: ArraySampler) => ({
  r1: uniform(0, [heads], 0, isLogarithmic ? 2 : 1),
  r2: uniform(1, [heads], 0, isLogarithmic ? 1 : 2),
});

const drawFire = (hiddenUnits: number, heads: number, { uniform }: ArraySampler) => ({
  w1: uniform(0, [hiddenUnits, 1], -1, 1),
  b1: uniform(1, [hiddenUnits], -1, 1),
  w2: uniform(2, [heads, hiddenUnits], -(hiddenUnits ** -0.5), hiddenUnits ** -0.5),
  b2: uniform(3, [heads], -(hiddenUnits ** -0.5), hiddenUnits ** -0.5),
});

/** Draws the parameters of the bias that DAPE modifies. Their names start with bias_. */
function drawDapeBias(bias: string, heads: number, draw: ArraySampler): { [name: string]: Tensor } {
  const biasTensors: { [name: string]: Tensor } =
    bias === 'kerple'
      ? drawKerple(true, heads, draw)
      : bias === 'fire'
        ? drawFire(32, heads, draw)
        : bias === 't5'
          ? { table: draw.normal(0, [32, heads], 1) }
          : {};
  return Object.fromEntries(Object.entries(biasTensors).map(([name, tensor]) => [`bias_${name}`, tensor]));
}

/** Adds 1 to one element of each pair, in evenly spaced rows. The tensor contains Xavier noise, with PyTorch's scaling for three axes. */
function addUnitEntries({ shape, data }: Tensor): Tensor {
  const [, rows = 1, pairs = 1] = shape;
  const rowStep = Math.ceil(rows / pairs);
  return { shape, data: data.map((noise, index) => noise + (Math.floor(index / pairs) % rows === rowStep * (index % pairs) ? 1 : 0)) };
}

/** Draws the frequencies fx and fy. Each head has a random direction; the second half of its pairs has the orthogonal direction. */
function drawFrequencies(param: ParamReader, { heads, headDim }: EncodingSizes): Tensor {
  const [pairs, quarterWidth] = [headDim / 2, Math.floor(headDim / 4)];
  const directions = drawUniform(Number(param('seed')), heads);
  const data = Float32Array.from({ length: 2 * heads * pairs }, (_, index) => {
    const pair = index % pairs;
    const direction = 2 * Math.PI * (directions[Math.floor(index / pairs) % heads] ?? 0) + (Math.PI / 2) * Math.floor(pair / quarterWidth);
    return (
      Number(param('base')) ** ((-4 * (pair % quarterWidth)) / headDim) *
      (index < heads * pairs ? Math.cos(direction) : Math.sin(direction))
    );
  });
  return { shape: [2, heads, pairs], data };
}

const DRAW_BY_ENCODING: { readonly [id: string]: ParamSampler } = {
  learned: (param, { embedDim }) => ({ table: randomNormal(Number(param('seed')), [Number(param('max_length')), embedDim], 0.02) }),
  fourier: (param, { embedDim, axes }) =>
    param('matrix') === 'identity'
      ? {}
      : { frequency_matrix: randomNormal(Number(param('seed')), [Number(param('features')) || Math.floor(embedDim / 2), axes]) },
  kerple: (param, { heads }, draw) => ({
    ...drawKerple(param('form') === 'log', heads, draw),
    ...(param('form') === 'weighted_power' ? { wei_a: draw.uniform(2, [heads], 0, 1), wei_p: draw.uniform(3, [heads], 0, 2) } : {}),
  }),
  fire: (param, { heads }, draw) => drawFire(Number(param('mlp_width')), heads, draw),
  t5: (param, { heads }, { normal }) => ({ table: normal(0, [Number(param('num_buckets')), heads], Number(param('init_std'))) }),
  dape: (param, { heads }, draw) => {
    const unitCount = Number(param('mlp_width'));
    const [firstBound, secondBound] = [(2 * heads) ** -0.5, unitCount ** -0.5];
    return {
      w1: draw.uniform(8, [unitCount, 2 * heads], -firstBound, firstBound),
      b1: draw.uniform(9, [unitCount], -firstBound, firstBound),
      w2: draw.uniform(10, [heads, unitCount], -secondBound, secondBound),
      b2: draw.uniform(11, [heads], -secondBound, secondBound),
      ...drawDapeBias(String(param('bias')), heads, draw),
    };
  },
  relative_bias: (param, { heads }, { normal }) => {
    const rows = 2 * Number(param('max_length')) - 1;
    return { b: normal(0, param('per_head') === true ? [heads, rows] : [rows], Number(param('init_std'))) };
  },
  transformer_xl: (_, { heads, headDim }, { normal }) => {
    const dim = heads * headDim + ((heads * headDim) % 2);
    return {
      u: normal(0, [heads, headDim], 0.02),
      v: normal(1, [heads, headDim], 0.02),
      w_r: normal(2, [heads * headDim, dim], dim ** -0.5),
    };
  },
  deberta: (param, { heads, headDim }, { normal }) => {
    const rows = 2 * (Number(param('position_buckets')) || Number(param('max_relative_positions')));
    const drawTable = (stream: number): Tensor => normal(stream, [heads, rows, headDim], Number(param('init_std')));
    return {
      ...(param('terms') === 'p2c' ? {} : { pos_key: drawTable(0) }),
      ...(param('terms') === 'c2p' ? {} : { pos_query: drawTable(1) }),
    };
  },
  shaw: (param, { heads, headDim }, { normal }) => {
    const shape = [...(param('per_head') === true ? [heads] : []), 2 * Number(param('clip')) + 1, headDim];
    const drawTable = (stream: number): Tensor => normal(stream, shape, Number(param('init_std')));
    return { table_k: drawTable(0), ...(param('values') === true ? { table_v: drawTable(1) } : {}) };
  },
  cope: (param, { headDim }, { normal }) => ({ pos_emb: normal(0, [headDim, Number(param('npos'))], Number(param('init_std'))) }),
  grape_a: (param, { heads, headDim }, { normal }) => ({
    ...(param('gate') === 'query' ? {} : { u: normal(0, [heads, headDim], headDim ** -0.5) }),
    ...(param('gate') === 'key' ? {} : { r: normal(1, [heads, headDim], headDim ** -0.5) }),
  }),
  pope: (_, { heads, headDim }, { uniform }) => ({ phase: uniform(0, [heads, headDim], -2 * Math.PI, 0) }),
  rope_mixed: (param, sizes) => ({ frequencies: drawFrequencies(param, sizes) }),
  rope_fourier: (param, { heads, headDim }, { normal }) => {
    const halfWidth = headDim / 2;
    const minFrequency = Number(param('floor_length')) > 0 ? (2 * Math.PI) / Number(param('floor_length')) : 0;
    const frequencyCount = Array.from({ length: halfWidth }, (_, t) => Number(param('base')) ** ((-2 * t) / headDim)).filter(
      (w) => w >= minFrequency,
    ).length;
    const pairs = Number(param('pairs')) || Math.min(frequencyCount, Math.max(Math.floor(headDim / 4), 1));
    const noise = Number(param('noise')) * Math.sqrt(2 / (frequencyCount * pairs + heads * pairs));
    const drawWeights = (stream: number): Tensor => addUnitEntries(normal(stream, [heads, frequencyCount, pairs], noise));
    return { sin_weight: drawWeights(0), cos_weight: drawWeights(1) };
  },
  liere: (param, { heads, headDim }, { uniform }) => {
    const blockSize = Number(param('block'));
    const shape = [Number(param('axes')), heads, Math.floor(headDim / blockSize), blockSize, blockSize];
    return { generators: uniform(0, shape, 0, Number(param('spread'))) };
  },
  forgetting: (_, { heads, embedDim }, { normal }) => ({ gate_weight: normal(0, [heads, embedDim], embedDim ** -0.5) }),
  path: (param, { heads, embedDim }, { normal }) => {
    const rank = Number(param('rank'));
    return {
      w_down: normal(0, [rank, embedDim], embedDim ** -0.5),
      w_up: normal(1, [embedDim, rank], rank ** -0.5),
      w_conv: normal(2, [embedDim, 3], 3 ** -0.5),
      beta_weight: normal(3, [heads, embedDim], embedDim ** -0.5),
    };
  },
  rope_selective: (param, { heads, headDim, embedDim }, { normal }) => {
    const [rank, channels] = [Number(param('rank')), heads * Math.floor(headDim / 2)];
    return {
      phi_down: normal(0, [rank, embedDim], embedDim ** -0.5),
      phi_up: normal(1, [channels, rank], rank ** -0.5),
      phi_conv: normal(2, [channels, 4], 0.5),
      ...(param('gated') === true ? { gate_weight: normal(3, [heads, embedDim], embedDim ** -0.5) } : {}),
    };
  },
};

export function drawParameters(
  { id, ...params }: EncodingSpec,
  info: EncodingInfo,
  dims: EncodingDims,
): { readonly [name: string]: Tensor } {
  const { heads = 1, headDim = 1, axes = 1 } = dims;
  const param = createParamReader(params, info) as ParamReader;
  const streamSeed = (stream: number): number => (Number(param('seed')) * 16 + stream) % 2 ** 32;
  const drawnTensors = DRAW_BY_ENCODING[id]?.(
    param,
    { heads, headDim, axes, embedDim: dims.embedDim ?? heads * headDim },
    {
      normal: (stream, shape, std) => randomNormal(streamSeed(stream), shape, std),
      uniform: (stream, shape, from, to) => randomUniform(streamSeed(stream), shape, from, to),
    },
  );
  return Object.fromEntries(Object.entries(drawnTensors ?? {}).filter(([name]) => params[name] === undefined));
}
