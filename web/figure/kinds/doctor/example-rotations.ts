// Generates example queries before and after a rotation that differs from the claimed one.
import { toBf16 } from '../../../engine/doctor/dump.ts';
import type { DiagnoseRequest } from '../../../engine/doctor/requests.ts';
import type { Tensor } from '../../../engine/index.ts';
import { type EncodingSpec, encodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';

const [HEADS, TOKENS, DIM] = [2, 32, 64];
const SEED = 54;
const FIRST_WRONG_TOKEN = 12;
const axes = 'heads,tokens,dim';

/** 24 consecutive positions, followed by odd positions up to 501, some of which bfloat16 cannot represent. */
const POSITIONS = Array.from({ length: TOKENS }, (_, token) =>
  token < 24 ? token : Math.round(24 * (500 / 24) ** ((token - 23) / 8)) | 1,
);
/** (time, row, column) positions of 8 text tokens, an image of 4 x 4 patches, and 8 more text tokens. */
const IMAGE_POSITIONS = Array.from({ length: TOKENS }, (_, token) => {
  if (token < 8) return [token, token, token];
  const patch = token - 8;
  return patch < 16 ? [8, 8 + (patch >> 2), 8 + (patch % 4)] : [token - 12, token - 12, token - 12];
});
/** (row, column) positions of 4 x 8 patches. */
const PATCH_POSITIONS = Array.from({ length: TOKENS }, (_, token) => [token >> 3, token % 8]);

const createVector = (numbers: readonly number[]): Tensor => ({ shape: [numbers.length], data: Float32Array.from(numbers) });

type Positions = readonly number[] | readonly (readonly number[])[];

/** Differences between the port (the implementation whose output is dumped) and the claimed encoding. */
interface Port {
  readonly encoding?: EncodingSpec;
  readonly positions?: Positions;
  /** Returns the positions of one head. Replaces `positions`. */
  readonly headPositions?: (head: number) => readonly number[];
  /** Channel permutations before and after the rotation. Each entry is the index of the source channel. */
  readonly inputChannels?: readonly number[];
  readonly outputChannels?: readonly number[];
  readonly isRotatedTwice?: boolean;
}

export interface RotationExample {
  readonly claim: EncodingSpec;
  readonly other?: EncodingSpec;
  readonly positions?: Positions;
  readonly port?: Port;
  /** Converts the reference output to the port's output. If set, these two outputs are compared. */
  readonly toPort?: (reference: Tensor) => Tensor;
}

const toPositionsInput = (positions: Positions) =>
  Array.isArray(positions[0]) ? { shape: [TOKENS, positions[0].length], data: positions.flat() } : (positions as readonly number[]);

function permute({ shape, data }: Tensor, order: readonly number[]): Tensor {
  return { shape, data: data.map((_, index) => data[index - (index % DIM) + (order[index % DIM] as number)] as number) };
}

/** The channel order that interleaves a head's two halves, and its inverse. */
const TO_INTERLEAVED = Array.from({ length: DIM }, (_, channel) => (channel >> 1) + (channel % 2) * (DIM / 2));
const TO_HALF_SPLIT = Array.from({ length: DIM }, (_, channel) => 2 * (channel % (DIM / 2)) + Math.floor(channel / (DIM / 2)));
const SWAPPED_QUARTERS = Array.from({ length: DIM }, (_, channel) => {
  const quarter = Math.floor((4 * channel) / DIM);
  return channel + ([0, DIM / 4, -DIM / 4, 0][quarter] as number);
});

async function rotateAsPort(x: Tensor, claim: EncodingSpec, positions: Positions, port: Port, engine: Engine): Promise<Tensor> {
  const encoding = port.encoding ?? claim;
  const rotate = (vectors: Tensor, tokenPositions: Positions) =>
    engine.applyRotary(vectors, { encoding, positions: toPositionsInput(tokenPositions) });
  if (port.headPositions) {
    const headSize = TOKENS * DIM;
    const data = new Float32Array(x.data.length);
    for (let head = 0; head < HEADS; head++) {
      const headVectors = { shape: [1, TOKENS, DIM], data: x.data.slice(head * headSize, (head + 1) * headSize) };
      data.set((await rotate(headVectors, port.headPositions(head))).data, head * headSize);
    }
    return { shape: x.shape, data };
  }
  const portPositions = port.positions ?? positions;
  const rotatedOnce = await rotate(port.inputChannels ? permute(x, port.inputChannels) : x, portPositions);
  const rotatedVectors = port.isRotatedTwice ? await rotate(rotatedOnce, portPositions) : rotatedOnce;
  return port.outputChannels ? permute(rotatedVectors, port.outputChannels) : rotatedVectors;
}

export async function createRotationDump(example: RotationExample, engine: Engine): Promise<DiagnoseRequest> {
  const { claim, other, positions = POSITIONS, port = {}, toPort } = example;
  const x = await engine.randomNormal({ seed: SEED, shape: [HEADS, TOKENS, DIM] });
  const options = { axes, positions, claim, ...(other ? { other } : {}) } as const;
  if (claim.id === 'none') return { before: x, after: await rotateAsPort(x, claim, positions, port, engine), ...options };
  const after = await rotateAsPort(x, claim, positions, port, engine);
  return toPort ? { reference: after, ours: toPort(after), ...options } : { before: x, after, ...options };
}

const withHalfSplit = (encoding: EncodingSpec): EncodingSpec => ({ ...encoding, layout: 'half_split' });
const getBase = ({ base }: EncodingSpec): number => (typeof base === 'number' ? base : 10000);
const withPositions = (computePosition: (position: number, token: number) => number): Port => ({
  positions: POSITIONS.map(computePosition),
});
const withLinearScaling = (encoding: EncodingSpec, factor: number): EncodingSpec => ({ ...encoding, scaling: 'linear', factor });
const withYarn = (encoding: EncodingSpec): EncodingSpec => ({ ...encoding, scaling: 'yarn', factor: 4, original_length: 128 });
const MROPE_ENCODING = encodingSpec('mrope', { base: 10000, sections: createVector([8, 12, 12]) });
const ROPE_2D = encodingSpec('rope_2d', { convention: 'qwen2_vl' });
const createExample = (claim: EncodingSpec, change: object): RotationExample => ({ claim, port: { encoding: { ...claim, ...change } } });

export const ROTATIONS = {
  none: (claim) => ({ claim }),
  wrong_pairing: (claim) => createExample(claim, { layout: claim.layout === 'half_split' ? 'interleaved' : 'half_split' }),
  channels_permuted: (claim) => ({ claim, toPort: (reference) => permute(reference, TO_INTERLEAVED) }),
  output_reordered: (claim) => ({ claim, port: { outputChannels: claim.layout === 'half_split' ? TO_INTERLEAVED : TO_HALF_SPLIT } }),
  pairs_across_head: (claim) => ({
    claim: { ...withHalfSplit(claim), rotary_dim: DIM / 2 },
    port: { inputChannels: SWAPPED_QUARTERS, outputChannels: SWAPPED_QUARTERS },
  }),
  reversed_direction: (claim) => ({ claim, port: withPositions((position) => -position) }),
  rotated_twice: (claim) => ({ claim, port: { isRotatedTwice: true } }),
  not_rotated: (claim) => ({ claim, port: withPositions(() => 0) }),
  wrong_rotary_width: (claim) => createExample(claim, { rotary_dim: DIM / 2 }),
  exponent_by_head_width: (claim) => createExample({ ...claim, rotary_dim: DIM / 2 }, { base: Math.sqrt(getBase(claim)) }),
  wrong_rotary_slice: (claim) => createExample({ ...claim, rotary_dim: DIM / 2 }, { rotary_offset: DIM / 2 }),
  wrong_base: (claim) => createExample(claim, { base: 50 * getBase(claim) }),
  other_layer_type: (claim) => ({
    ...createExample(claim, { base: 100 * getBase(claim) }),
    other: { ...claim, base: 100 * getBase(claim) },
  }),
  scaling_missing: (claim) => ({ claim: withYarn(claim), port: { encoding: claim } }),
  scaling_unclaimed: (claim) => createExample(claim, { scaling: 'linear', factor: 8 }),
  scaling_inverted: (claim) => ({
    claim: withLinearScaling(claim, 4),
    port: { encoding: claim, ...withPositions((position) => 4 * position) },
  }),
  scaling_twice: (claim) => createExample(withLinearScaling(claim, 4), { factor: 16 }),
  wrong_scaling: (claim) => createExample(withYarn(claim), { scaling: 'ntk_aware' }),
  wrong_scaling_factor: (claim) => createExample(withYarn(claim), { factor: 8 }),
  wrong_original_length: (claim) => createExample({ ...withYarn(claim), original_length: 2048 }, { original_length: 8192 }),
  yarn_ramp_rounded: (claim) => createExample(withYarn(claim), { truncate: false }),
  longrope_factors_swapped: (claim) => {
    const createFactors = (max: number) =>
      createVector(Array.from({ length: DIM / 2 }, (_, pair) => 1 + (max - 1) * (pair / (DIM / 2 - 1))));
    const factors = {
      scaling: 'longrope',
      factor: 4,
      original_length: 256,
      short_factor: createFactors(1.5),
      long_factor: createFactors(4),
    };
    return createExample({ ...claim, ...factors, sequence_length: 502 }, { sequence_length: 256 });
  },
  dynamic_ntk_length: (claim) =>
    createExample({ ...claim, scaling: 'dynamic_ntk', factor: 2, original_length: 256, sequence_length: 1024 }, { sequence_length: 512 }),
  rotated_without_claim: (claim) => ({ claim: encodingSpec('none'), port: { encoding: claim } }),
  attention_factor_missing: (claim) => createExample(withYarn(claim), { attention_factor: 1 }),
  attention_factor_twice: (claim) => createExample(withYarn(claim), { attention_factor: (1 + 0.1 * Math.log(4)) ** 2 }),
  wrong_attention_factor: (claim) => createExample(withYarn(claim), { attention_factor: 1.25 }),
  scaled: (claim) => ({ claim, toPort: ({ shape, data }) => ({ shape, data: data.map((value) => value / 8) }) }),
  position_offset: (claim) => ({ claim, port: withPositions((position) => position + 5) }),
  positions_restart: (claim) => ({
    claim,
    port: withPositions((position, token) => (token < FIRST_WRONG_TOKEN ? position : position - FIRST_WRONG_TOKEN)),
  }),
  positions_constant: (claim) => ({ claim, positions: POSITIONS.map((position) => position + 7), port: withPositions(() => 7) }),
  positions_stuck: (claim) => ({ claim, port: withPositions((position) => Math.min(position, FIRST_WRONG_TOKEN)) }),
  positions_jump: (claim) => ({ claim, port: withPositions((position, token) => (token < FIRST_WRONG_TOKEN ? position : position + 100)) }),
  positions_not_reset: (claim) => ({
    claim,
    positions: POSITIONS.map((position, token) => (token < FIRST_WRONG_TOKEN ? position : position - FIRST_WRONG_TOKEN)),
    port: withPositions((position) => position),
  }),
  rotated_along_heads: (claim) => ({ claim, port: { headPositions: (head) => POSITIONS.map(() => head) } }),
  position_plus_head: (claim) => ({ claim, port: { headPositions: (head) => POSITIONS.map((position) => position + head) } }),
  low_precision_positions: (claim) => ({ claim, port: withPositions(toBf16) }),
  wrong_sections: () => ({ ...createExample(MROPE_ENCODING, { arrangement: 'interleaved' }), positions: IMAGE_POSITIONS }),
  axes_swapped: () => ({
    claim: MROPE_ENCODING,
    positions: IMAGE_POSITIONS,
    port: { positions: IMAGE_POSITIONS.map(([time = 0, row = 0, column = 0]) => [time, column, row]) },
  }),
  axes_ignored: () => ({
    claim: MROPE_ENCODING,
    positions: IMAGE_POSITIONS,
    port: { positions: IMAGE_POSITIONS.map((_, token) => [token, token, token]) },
  }),
  wrong_grid_convention: () => ({ ...createExample(ROPE_2D, { convention: 'pixtral' }), positions: PATCH_POSITIONS }),
} as const satisfies { readonly [fault: string]: (encoding: EncodingSpec) => RotationExample };
