// The score of two equal vectors at a fixed distance, as several programs compute it. Each of them rounds at a different step.

import type { Tensor } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';

const float32View = new DataView(new ArrayBuffer(4));

/** The bfloat16 nearest to a number, ties to even: the upper 16 bits of a float32. */
export function bfloat16(value: number): number {
  float32View.setFloat32(0, value);
  const float32Bits = float32View.getUint32(0);
  float32View.setUint32(0, (float32Bits + 0x7fff + ((float32Bits >>> 16) & 1)) & 0xffff0000);
  return float32View.getFloat32(0);
}

/** The lines of the figure, by the quantity that is rounded. */
export const VARIANTS = ['core', 'float32', 'cosines', 'frequencies', 'positions'] as const;
export type Variant = (typeof VARIANTS)[number];
/** Minimum number of positions per point of a line; the error of a point is the maximum over its positions. */
const MIN_SAMPLES = 16;
/** Number of points per doubling of the position. */
const POINTS_PER_DOUBLING = 4;
/** The smallest error that is drawn: below the resolution of float32 for a score of 1. */
export const MIN = 1e-9;

export interface Precision {
  /** The first position of the key at each point. */
  readonly positions: readonly number[];
  /** [points, variants]: the largest error of the score near the point. */
  readonly errors: Tensor;
}

interface PrecisionRequest {
  readonly encoding: EncodingSpec;
  readonly dim: number;
  readonly length: number;
  readonly apart: number;
}

const toFloat32 = Math.fround;

/** The cosine and the sine of a pair at a position, as a program computes them. */
type RotationProgram = (position: number, frequency: number) => readonly [cosine: number, sine: number];

const roundedRotation = (angle: number): readonly [number, number] => [toFloat32(Math.cos(angle)), toFloat32(Math.sin(angle))];

/** The rotations of each program. Frequencies are float32, like the buffers of models. */
export const PROGRAMS: { readonly [Each in Exclude<Variant, 'core'>]: RotationProgram } = {
  float32: (position, frequency) => roundedRotation(toFloat32(position * frequency)),
  cosines: (position, frequency) => {
    const [cosine, sine] = roundedRotation(toFloat32(position * frequency));
    return [bfloat16(cosine), bfloat16(sine)];
  },
  frequencies: (position, frequency) => roundedRotation(toFloat32(position * bfloat16(frequency))),
  positions: (position, frequency) => roundedRotation(bfloat16(bfloat16(position) * bfloat16(frequency))),
};

/** The score of two vectors of ones, rotated at the positions of key and query, relative to their score at distance 0. */
function score(program: RotationProgram, key: number, query: number, frequencies: Float32Array): number {
  let total = 0;
  for (const frequency of frequencies) {
    const [c, s] = program(key, frequency);
    const [cosine, sine] = program(query, frequency);
    total += c * cosine + s * sine;
  }
  return total / frequencies.length;
}

/** The first two positions after `start` at which the nearest bfloat16 changes, and the positions just before them. Empty below 256. */
function stepsFrom(start: number): readonly number[] {
  const apart = 2 ** (Math.floor(Math.log2(start)) - 7);
  if (!(apart > 1)) return [];
  const boundary = (Math.floor(start / apart) + 0.5) * apart;
  return [boundary - 1, boundary, boundary + apart - 1, boundary + apart];
}

/** The positions of each point: all if there are few, otherwise MIN_SAMPLES of them and those at which the nearest bfloat16 changes. */
export function pointsOf(length: number): readonly (readonly number[])[] {
  const starts = new Set([0]);
  for (let step = 0; 2 ** (step / POINTS_PER_DOUBLING) < length; step++) starts.add(Math.floor(2 ** (step / POINTS_PER_DOUBLING)));
  const startPositions = [...starts];
  return startPositions.map((start, at) => {
    const end = startPositions[at + 1] ?? length;
    const samples = Math.min(MIN_SAMPLES, end - start);
    const evenlySpaced = Array.from({ length: samples }, (_, one) => start + Math.floor((one * (end - start)) / samples));
    return [...new Set([...evenlySpaced, ...stepsFrom(start).filter((position) => position > start && position < end)])];
  });
}

export async function precisionNumbers({ encoding, dim, length, apart }: PrecisionRequest, engine: Engine): Promise<Precision> {
  const { invFreq, attentionFactor } = await engine.ropeFrequencies({ encoding, dim });
  const frequencies = Float32Array.from(invFreq.data);
  // Each channel that is not rotated adds 1.
  const unrotatedChannels = dim - 2 * frequencies.length;
  const points = pointsOf(length);
  const samples = points.flat();
  const rotate = async (positions: readonly number[]): Promise<Float32Array> => {
    const ones = { shape: [1, positions.length, dim], data: new Float32Array(positions.length * dim).fill(1) };
    return (await engine.applyRotary(ones, { encoding, positions })).data;
  };
  const keys = await rotate(samples);
  const queries = await rotate(samples.map((position) => position + apart));
  const coreScore = (at: number): number => {
    let total = 0;
    for (let channel = at * dim; channel < (at + 1) * dim; channel++) total += (keys[channel] as number) * (queries[channel] as number);
    return (total - unrotatedChannels) / (2 * frequencies.length * attentionFactor * attentionFactor);
  };
  // The exact score, equal at all positions, in float64.
  const exactScore = frequencies.reduce((sum, frequency) => sum + Math.cos(apart * frequency), 0) / frequencies.length;
  const data = new Float32Array(points.length * VARIANTS.length);
  let offset = 0;
  points.forEach((positions, point) => {
    VARIANTS.forEach((variant, column) => {
      const errors = positions.map((position, one) =>
        Math.abs(
          (variant === 'core' ? coreScore(offset + one) : score(PROGRAMS[variant], position, position + apart, frequencies)) - exactScore,
        ),
      );
      data[point * VARIANTS.length + column] = Math.max(...errors);
    });
    offset += positions.length;
  });
  return { positions: points.map(([first]) => first as number), errors: { shape: [points.length, VARIANTS.length], data } };
}
