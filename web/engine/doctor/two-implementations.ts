// Diagnoses an implementation by comparing its rotated vectors with those of a reference. To find a fault, the reference's vectors are rotated back
// with the claimed encoding; the result serves as the implementation's input.

import type { EncodingConfig, Phasor } from '../types/api.ts';
import { areFinite, detectFormat, FORMATS, isZero, NOISE, sampleHeads, sampleTokens, type Vectors } from './dump.ts';
import { channelsOf, type PairLayout } from './planes.ts';
import { createDiagnosis, type Diagnosis, type FirstDifference, type ResidualMap, type Residuals, withoutExplanation } from './report.ts';
import { diagnoseRotation } from './rotation.ts';
import { coordinatesOf, type TokenPositions } from './state.ts';

export interface ImplementationPair {
  readonly reference: Vectors;
  readonly ours: Vectors;
  readonly positions: TokenPositions;
  readonly claim?: EncodingConfig | undefined;
  readonly other?: EncodingConfig | undefined;
}

const VISIBLE_NOISE = 6;
/** Maximum residual between equal vectors that were rounded independently, as a multiple of the noise. */
const MAX_RESIDUAL = 2.6 * Math.SQRT2;

export function compareImplementations(phasor: Phasor, { reference, ours, positions, claim, other }: ImplementationPair): Diagnosis {
  if (reference.tokens !== ours.tokens || reference.heads !== ours.heads || reference.dim !== ours.dim)
    return withoutExplanation('cannot_tell', 'shapes_differ');
  if (!areFinite(reference.data) || !areFinite(ours.data)) return withoutExplanation('not_explained', 'not_finite');
  if (isZero(reference.data)) return withoutExplanation('cannot_tell', 'input_is_zero');
  const format = FORMATS[Math.max(...[reference, ours].map(({ data }) => FORMATS.indexOf(detectFormat(data))))] ?? 'f32';
  const noise = NOISE[format];
  const directFit = compareVectors(reference, ours, (channel) => channel);
  const commonFields = { noise: format, claimedResidual: directFit.residual };
  const isWithinRounding = ({ residual }: { residual: number }) => residual <= MAX_RESIDUAL * noise;
  if (isWithinRounding(directFit)) return createDiagnosis('same', {}, { ...commonFields, residual: directFit.residual });
  const difference = findFirstDifference(reference, ours, noise);
  const diagnosisFields = { ...commonFields, ...(difference ? { first: difference } : {}) };
  const layout = claim?.layout === 'half_split' ? 'half_split' : 'interleaved';
  const explanationFields = (residual: number, toReferenceChannel: (channel: number) => number, factor: number): Partial<Diagnosis> => ({
    ...diagnosisFields,
    residual,
    rounding: MAX_RESIDUAL * noise,
    map: createResidualMap(reference, ours, positions, layout, toReferenceChannel, factor),
  });
  for (const otherLayout of ['interleaved', 'half_split'] as const) {
    const toReferenceChannel = createChannelMap(reference.dim, otherLayout);
    const permutedFit = compareVectors(reference, ours, toReferenceChannel);
    if (isWithinRounding(permutedFit))
      return createDiagnosis('channels_permuted', { to: otherLayout }, explanationFields(permutedFit.residual, toReferenceChannel, 1));
  }
  if (directFit.scaledResidual <= MAX_RESIDUAL * noise && directFit.factor > 0)
    return createDiagnosis(
      'scaled',
      { factor: directFit.factor },
      explanationFields(directFit.scaledResidual, (channel) => channel, directFit.factor),
    );
  if (!claim || claim.id === 'none') return withoutExplanation('cannot_tell', 'needs_config', diagnosisFields);
  const before = rotateBack(phasor, reference, positions, claim);
  const diagnosis = diagnoseRotation(phasor, { before, after: ours, positions, claim, other });
  return { ...diagnosis, ...(difference ? { first: difference } : {}), claimedResidual: directFit.residual };
}

/**
 * Compares `ours` with the reference after permuting the reference's channels. Returns the residual |ours - reference| / |ours|, the best common
 * factor, and the residual with that factor.
 */
function compareVectors(reference: Vectors, ours: Vectors, toReferenceChannel: (channel: number) => number) {
  let [squares, squaredLengths, products, referenceSquares] = [0, 0, 0, 0];
  forEachNumber(reference, (at, offsetIn, channel) => {
    const y = ours.data[offsetIn(ours) + channel] as number;
    const x = reference.data[at + toReferenceChannel(channel)] as number;
    squares += (y - x) ** 2;
    squaredLengths += y * y;
    products += x * y;
    referenceSquares += x * x;
  });
  const remainder = Math.max(0, squaredLengths - (products * products) / referenceSquares);
  return {
    residual: Math.sqrt(squares / squaredLengths),
    factor: products / referenceSquares,
    scaledResidual: Math.sqrt(remainder / squaredLengths),
  };
}

/** Computes the residuals of `ours` relative to the reference, and relative to the permuted and scaled reference. */
function createResidualMap(
  reference: Vectors,
  ours: Vectors,
  allPositions: TokenPositions,
  layout: PairLayout,
  toReferenceChannel: (channel: number) => number,
  factor: number,
): ResidualMap {
  const [tokens, heads] = [sampleTokens(ours.tokens), sampleHeads(ours.heads)];
  const pairs = Math.floor(ours.dim / 2);
  const computeResiduals = (sourceChannel: (channel: number) => number, scale: number): Residuals => {
    const values = new Float64Array(tokens.length * pairs);
    tokens.forEach((token, row) => {
      for (let t = 0; t < pairs; t++) {
        let [squares, lengths] = [0, 0];
        for (const head of heads)
          for (const channel of channelsOf({ layout, rotaryDim: 2 * pairs, offset: 0 }, t)) {
            const y = ours.data[token * ours.tokenStride + head * ours.headStride + channel] as number;
            const x = reference.data[token * reference.tokenStride + head * reference.headStride + sourceChannel(channel)] as number;
            squares += (y - scale * x) ** 2;
            lengths += y * y;
          }
        values[row * pairs + t] = lengths > 0 ? Math.sqrt(squares / lengths) : Number(squares > 0);
      }
    });
    return { pairs, columns: pairs, values };
  };
  const rows = coordinatesOf(allPositions);
  return {
    columnAxis: 'pair',
    tokens,
    heads,
    positions: tokens.map((token) => rows[token]?.[0] ?? 0),
    claimed: computeResiduals((channel) => channel, 1),
    found: computeResiduals(toReferenceChannel, factor),
  };
}

function forEachNumber(
  { tokens, heads, dim, tokenStride, headStride }: Vectors,
  visit: (at: number, offsetIn: (other: Vectors) => number, channel: number) => void,
) {
  for (let token = 0; token < tokens; token++)
    for (let head = 0; head < heads; head++) {
      const offsetIn = (vectors: Vectors) => token * vectors.tokenStride + head * vectors.headStride;
      for (let channel = 0; channel < dim; channel++) visit(token * tokenStride + head * headStride, offsetIn, channel);
    }
}

/** Returns a function that maps a channel of `ours`, which has the layout `to`, to the channel of the reference, which has the other layout. */
function createChannelMap(dim: number, to: PairLayout): (channel: number) => number {
  const from = to === 'interleaved' ? 'half_split' : 'interleaved';
  const order = new Int32Array(dim);
  for (let t = 0; t < dim >> 1; t++) {
    const [a, b] = channelsOf({ layout: to, rotaryDim: dim, offset: 0 }, t);
    [order[a], order[b]] = channelsOf({ layout: from, rotaryDim: dim, offset: 0 }, t);
  }
  return (channel) => order[channel] as number;
}

function findFirstDifference(reference: Vectors, ours: Vectors, noise: number): FirstDifference | undefined {
  for (let token = 0; token < reference.tokens; token++) {
    const [squares, lengths] = [new Float64Array(reference.dim), new Float64Array(reference.dim)];
    for (let head = 0; head < reference.heads; head++)
      for (let channel = 0; channel < reference.dim; channel++) {
        const y = ours.data[token * ours.tokenStride + head * ours.headStride + channel] as number;
        const x = reference.data[token * reference.tokenStride + head * reference.headStride + channel] as number;
        squares[channel] = (squares[channel] as number) + (y - x) ** 2;
        lengths[channel] = (lengths[channel] as number) + y * y;
      }
    const sumOf = (numbers: Float64Array) => numbers.reduce((sum, value) => sum + value, 0);
    if (Math.sqrt(sumOf(squares)) <= VISIBLE_NOISE * noise * Math.sqrt(sumOf(lengths))) continue;
    const channel = squares.findIndex((square, at) => Math.sqrt(square) > VISIBLE_NOISE * noise * Math.sqrt(lengths[at] as number));
    return { token, ...(channel < 0 ? {} : { channel }) };
  }
  return undefined;
}

/**
 * Undoes the reference's rotation by rotating with negated positions. Each rotation multiplies by the gain, so the rotated channels are divided by
 * the square of the gain.
 */
export function rotateBack(phasor: Phasor, reference: Vectors, positions: TokenPositions, claim: EncodingConfig): Vectors {
  const { tokens, heads, dim, data, tokenStride, headStride } = reference;
  const x = new Float32Array(tokens * heads * dim);
  for (let head = 0; head < heads; head++)
    for (let token = 0; token < tokens; token++) {
      const at = token * tokenStride + head * headStride;
      x.set(data.subarray(at, at + dim), (head * tokens + token) * dim);
    }
  const rows = coordinatesOf(positions);
  const axisCount = rows[0]?.length ?? 1;
  const negatedPositions = {
    shape: axisCount === 1 ? [tokens] : [tokens, axisCount],
    data: Float64Array.from(rows.flat(), (position) => -position),
  };
  const rotatedData = phasor.applyRotary({ shape: [heads, tokens, dim], data: x }, { encoding: claim, positions: negatedPositions })
    .data as Float32Array;
  const isRope = claim.id === 'rope' || claim.id === 'mrope';
  const gain = isRope ? phasor.ropeFrequencies({ encoding: claim, dim }).attentionFactor : 1;
  if (gain !== 1) {
    const rotatedChannels = new Set<number>();
    const pairs = phasor.rotaryAngles({ encoding: claim, dim, positions: { shape: [1], data: [1] } }).data.length;
    const offset = typeof claim.rotary_offset === 'number' ? claim.rotary_offset : 0;
    for (let channel = 0; channel < 2 * pairs; channel++) rotatedChannels.add(offset + channel);
    for (let at = 0; at < rotatedData.length; at++)
      if (rotatedChannels.has(at % dim)) rotatedData[at] = (rotatedData[at] as number) / (gain * gain);
  }
  return { tokens, heads, dim, data: rotatedData, tokenStride: dim, headStride: tokens * dim };
}
