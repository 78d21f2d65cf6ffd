// Computes errors in the score of two equal vectors at a fixed distance, for programs that round different quantities.

import type { Tensor } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';

const float32View = new DataView(new ArrayBuffer(4));

/** Rounds to the nearest bfloat16, ties to even. A bfloat16 has the upper 16 bits of a float32. */
export function toBfloat16(value: number): number {
  float32View.setFloat32(0, value);
  const float32Bits = float32View.getUint32(0);
  float32View.setUint32(0, (float32Bits + 0x7fff + ((float32Bits >>> 16) & 1)) & 0xffff0000);
  return float32View.getFloat32(0);
}

/**
 * The figure has one curve for the core, one for a float32 program, and one for each program that rounds the named
 * quantity to bfloat16. `positions` also rounds frequencies and angles.
 */
export const VARIANTS = ['core', 'float32', 'cosines', 'frequencies', 'positions'] as const;
export type Variant = (typeof VARIANTS)[number];
/** Minimum number of key positions per plotted point, if that many exist. A point is their largest error. */
const MIN_SAMPLES = 16;
const POINTS_PER_DOUBLING = 4;
/** Smaller errors are drawn as this value, which is below the float32 resolution of scores near 1. */
export const MIN_ERROR = 1e-9;

export interface PrecisionResults {
  /** The first key position of each plotted point. */
  readonly positions: readonly number[];
  /** [points, variants]: the largest error of the score over the point's key positions. */
  readonly errors: Tensor;
}

interface PrecisionRequest {
  readonly encoding: EncodingSpec;
  readonly dim: number;
  readonly length: number;
  readonly apart: number;
}

const toFloat32 = Math.fround;

type RotationProgram = (position: number, frequency: number) => readonly [cosine: number, sine: number];

const roundedRotation = (angle: number): readonly [number, number] => [toFloat32(Math.cos(angle)), toFloat32(Math.sin(angle))];

/** Each program's cosine and sine for a channel pair. Frequencies are float32, as in model buffers. */
export const PROGRAMS: { readonly [Each in Exclude<Variant, 'core'>]: RotationProgram } = {
  float32: (position, frequency) => roundedRotation(toFloat32(position * frequency)),
  cosines: (position, frequency) => {
    const [cosine, sine] = roundedRotation(toFloat32(position * frequency));
    return [toBfloat16(cosine), toBfloat16(sine)];
  },
  frequencies: (position, frequency) => roundedRotation(toFloat32(position * toBfloat16(frequency))),
  positions: (position, frequency) => roundedRotation(toBfloat16(toBfloat16(position) * toBfloat16(frequency))),
};

/** Computes the score of two vectors of ones rotated to the positions `key` and `query`, divided by their score at distance 0. */
function computeScore(program: RotationProgram, key: number, query: number, frequencies: Float32Array): number {
  let total = 0;
  for (const frequency of frequencies) {
    const [keyCosine, keySine] = program(key, frequency);
    const [queryCosine, querySine] = program(query, frequency);
    total += keyCosine * queryCosine + keySine * querySine;
  }
  return total / frequencies.length;
}

/**
 * Finds the first two positions after `start` that round to another bfloat16 than their predecessors, and returns
 * the positions around them. Empty below 256, because bfloat16 represents these integers exactly.
 */
function findPositionsAtSteps(start: number): readonly number[] {
  const spacing = 2 ** (Math.floor(Math.log2(start)) - 7);
  if (!(spacing > 1)) return [];
  const boundary = (Math.floor(start / spacing) + 0.5) * spacing;
  return [boundary - 1, boundary, boundary + spacing - 1, boundary + spacing];
}

/**
 * Selects the key positions of each plotted point: all positions before the next point, or MIN_SAMPLES evenly spaced
 * ones and those around changes of the nearest bfloat16.
 */
export function selectKeyPositions(length: number): readonly (readonly number[])[] {
  const distinctStarts = new Set([0]);
  for (let step = 0; 2 ** (step / POINTS_PER_DOUBLING) < length; step++) distinctStarts.add(Math.floor(2 ** (step / POINTS_PER_DOUBLING)));
  const startPositions = [...distinctStarts];
  return startPositions.map((start, index) => {
    const endPosition = startPositions[index + 1] ?? length;
    const sampleCount = Math.min(MIN_SAMPLES, endPosition - start);
    const evenlySpacedPositions = Array.from(
      { length: sampleCount },
      (_, sample) => start + Math.floor((sample * (endPosition - start)) / sampleCount),
    );
    return [
      ...new Set([
        ...evenlySpacedPositions,
        ...findPositionsAtSteps(start).filter((position) => position > start && position < endPosition),
      ]),
    ];
  });
}

export async function computePrecision({ encoding, dim, length, apart }: PrecisionRequest, engine: Engine): Promise<PrecisionResults> {
  const { invFreq, attentionFactor } = await engine.ropeFrequencies({ encoding, dim });
  const frequencies = Float32Array.from(invFreq.data);
  // Each channel that does not rotate adds 1 to the score.
  const unrotatedChannels = dim - 2 * frequencies.length;
  const points = selectKeyPositions(length);
  const keyPositions = points.flat();
  const rotate = async (positions: readonly number[]): Promise<Float32Array> => {
    const ones = { shape: [1, positions.length, dim], data: new Float32Array(positions.length * dim).fill(1) };
    return (await engine.applyRotary(ones, { encoding, positions })).data;
  };
  const keys = await rotate(keyPositions);
  const queries = await rotate(keyPositions.map((position) => position + apart));
  const computeCoreScore = (sample: number): number => {
    let total = 0;
    for (let channel = sample * dim; channel < (sample + 1) * dim; channel++)
      total += (keys[channel] as number) * (queries[channel] as number);
    return (total - unrotatedChannels) / (2 * frequencies.length * attentionFactor * attentionFactor);
  };
  // The exact score, the same at all positions, in float64.
  const exactScore = frequencies.reduce((sum, frequency) => sum + Math.cos(apart * frequency), 0) / frequencies.length;
  const data = new Float32Array(points.length * VARIANTS.length);
  let sampleOffset = 0;
  points.forEach((positions, point) => {
    VARIANTS.forEach((variant, column) => {
      const errors = positions.map((position, sample) =>
        Math.abs(
          (variant === 'core'
            ? computeCoreScore(sampleOffset + sample)
            : computeScore(PROGRAMS[variant], position, position + apart, frequencies)) - exactScore,
        ),
      );
      data[point * VARIANTS.length + column] = Math.max(...errors);
    });
    sampleOffset += positions.length;
  });
  return { positions: points.map(([first]) => first as number), errors: { shape: [points.length, VARIANTS.length], data } };
}
