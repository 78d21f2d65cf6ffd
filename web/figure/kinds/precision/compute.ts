// The score of two equal vectors at a fixed distance under the rounding of several programs, each of which rounds in a different step.

import type { Tensor } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';

// The number formats of models, with rounding to nearest, ties to even.
const bits = new DataView(new ArrayBuffer(4));

/** The bfloat16 nearest to a number: the upper 16 bits of a float32. */
export function bfloat16(value: number): number {
  bits.setFloat32(0, value);
  const word = bits.getUint32(0);
  bits.setUint32(0, (word + 0x7fff + ((word >>> 16) & 1)) & 0xffff0000);
  return bits.getFloat32(0);
}

/** The rounding of each line. */
export const WAYS = ['core', 'float32', 'cosines', 'frequencies', 'positions'] as const;
export type Way = (typeof WAYS)[number];
/** Minimum number of positions per point of a line, whose error is their maximum. */
const MIN_SAMPLES = 16;
/** Number of points per doubling of the position. */
const STEPS = 4;
/** The smallest error that is drawn: below the resolution of float32 for a score of 1. */
export const MIN = 1e-9;

export interface Precision {
  /** Positions of the keys, by point. */
  readonly positions: readonly number[];
  /** [points, variants]: the largest error of the score near the point. */
  readonly errors: Tensor;
}

interface Asked {
  readonly encoding: EncodingSpec;
  readonly dim: number;
  readonly length: number;
  readonly apart: number;
}

const f32 = Math.fround;

/** Cosines and sines of all pairs at a position, as a program computes them. */
type Rotations = (position: number, frequency: number) => readonly [cosine: number, sine: number];

const rounded = (angle: number): readonly [number, number] => [f32(Math.cos(angle)), f32(Math.sin(angle))];

/** The programs; frequencies are float32, like buffers of models. */
export const PROGRAMS: { readonly [Each in Exclude<Way, 'core'>]: Rotations } = {
  float32: (position, frequency) => rounded(f32(position * frequency)),
  cosines: (position, frequency) => {
    const [cosine, sine] = rounded(f32(position * frequency));
    return [bfloat16(cosine), bfloat16(sine)];
  },
  frequencies: (position, frequency) => rounded(f32(position * bfloat16(frequency))),
  positions: (position, frequency) => rounded(bfloat16(bfloat16(position) * bfloat16(frequency))),
};

/** The score of a vector of ones with itself, relative to its length, rotated at two positions. */
function score(program: Rotations, key: number, query: number, frequencies: Float32Array): number {
  let total = 0;
  for (const frequency of frequencies) {
    const [c, s] = program(key, frequency);
    const [cosine, sine] = program(query, frequency);
    total += c * cosine + s * sine;
  }
  return total / frequencies.length;
}

/** Positions at which bfloat16, beyond 256, changes to its next number: the first two after a position, and their neighbours. */
function stepsFrom(start: number): readonly number[] {
  const apart = 2 ** (Math.floor(Math.log2(start)) - 7);
  if (!(apart > 1)) return [];
  const middle = (Math.floor(start / apart) + 0.5) * apart;
  return [middle - 1, middle, middle + apart - 1, middle + apart];
}

/** The positions of each point: all if they are few, otherwise MIN_SAMPLES of them and those at which bfloat16 changes. */
export function pointsOf(length: number): readonly (readonly number[])[] {
  const starts = new Set([0]);
  for (let step = 0; 2 ** (step / STEPS) < length; step++) starts.add(Math.floor(2 ** (step / STEPS)));
  const all = [...starts];
  return all.map((start, at) => {
    const end = all[at + 1] ?? length;
    const tried = Math.min(MIN_SAMPLES, end - start);
    const even = Array.from({ length: tried }, (_, one) => start + Math.floor((one * (end - start)) / tried));
    return [...new Set([...even, ...stepsFrom(start).filter((position) => position > start && position < end)])];
  });
}

export async function precisionNumbers({ encoding, dim, length, apart }: Asked, engine: Engine): Promise<Precision> {
  const { invFreq, attentionFactor } = await engine.ropeFrequencies({ encoding, dim });
  const frequencies = Float32Array.from(invFreq.data);
  // Channels that are not rotated: each adds 1.
  const stored = dim - 2 * frequencies.length;
  const points = pointsOf(length);
  const tried = points.flat();
  const rotated = async (positions: readonly number[]): Promise<Float32Array> => {
    const ones = { shape: [1, positions.length, dim], data: new Float32Array(positions.length * dim).fill(1) };
    return (await engine.applyRotary(ones, { encoding, positions })).data;
  };
  const keys = await rotated(tried);
  const queries = await rotated(tried.map((position) => position + apart));
  const ofCore = (at: number): number => {
    let total = 0;
    for (let channel = at * dim; channel < (at + 1) * dim; channel++) total += (keys[channel] as number) * (queries[channel] as number);
    return (total - stored) / (2 * frequencies.length * attentionFactor * attentionFactor);
  };
  // The score at any position, in float64.
  const exact = frequencies.reduce((sum, frequency) => sum + Math.cos(apart * frequency), 0) / frequencies.length;
  const data = new Float32Array(points.length * WAYS.length);
  let before = 0;
  points.forEach((positions, point) => {
    WAYS.forEach((way, column) => {
      const errors = positions.map((position, one) =>
        Math.abs((way === 'core' ? ofCore(before + one) : score(PROGRAMS[way], position, position + apart, frequencies)) - exact),
      );
      data[point * WAYS.length + column] = Math.max(...errors);
    });
    before += positions.length;
  });
  return { positions: points.map(([first]) => first as number), errors: { shape: [points.length, WAYS.length], data } };
}
