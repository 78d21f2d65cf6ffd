// Encodings with parameters that reach every branch of their programs: the defaults, every value of every choice and switch, another value of every
// number, and every array.
import type { DynamicId, EncodingInfo, ParamInfo, Tensor } from '../../../web/engine/index.ts';
import type { EncodingSpec } from '../../../web/figure/contract/fields.ts';

type Draw = (seed: number, ...shape: number[]) => Tensor;

/** Values of numeric parameters for which twice or half the default would be rejected or have no effect. */
const valuesOfParam: { readonly [param: string]: readonly number[] } = {
  start: [1],
  max_length: [8192],
  'learned.max_length': [64],
  'relative_bias.max_length': [300],
  row_offset: [2],
  padding_idx: [3, 6],
  min_timescale: [0.5],
  max_timescale: [500],
  extent: [1, 10],
  sigma: [0.5],
  features: [5],
  levels: [1, 4],
  seed: [7, 2147483647],
  columns: [3, 1],
  rows: [1, 5],
  rotary_dim: [8],
  rotary_fraction: [0.5],
  kept_fraction: [0.4, 0],
  start_tokens: [4],
  factor: [8],
  original_length: [64],
  sequence_length: [100, 9000],
  attention_factor: [1.25],
  beta_fast: [16],
  beta_slow: [2],
  low_freq_factor: [0.5],
  high_freq_factor: [8],
  beta_0: [3],
  beta_1: [0.5],
  gamma_0: [20],
  gamma_1: [4],
  mscale: [0.7],
  mscale_all_dim: [0.9],
  gamma: [0.7],
  scale_base: [64],
  length: [9, 10],
  max_freq: [20],
  bias_max: [4],
  right_factor: [0.25],
  max_seq_len: [100],
  num_buckets: [31, 16, 4],
  max_distance: [64, 1000],
  multiplier: [2.5],
  init_std: [0.5],
  init_c: [0.5],
  init_l: [4, 100],
  eps: [0.01],
  mlp_width: [6],
  negative_slope: [0.2],
  db: [16],
  clip: [3],
  position_buckets: [0, 16, 7],
  max_relative_positions: [600],
  clamp_len: [4],
  npos: [4],
  base: [50],
  temporal_pairs: [1, 8],
  rotary_offset: [4],
  floor_length: [64],
  pairs: [2],
  noise: [0.1],
  gate_scale: [0.7],
  block: [2, 5],
  axes: [2],
  spread: [0.2],
  window: [3],
  group: [2],
  leak: [2.5],
  sink_tokens: [2],
  'rope.max_distance': [5],
  chunk: [3],
  max_position: [511],
  training_length: [4],
  temperature_max: [2],
  init_bias: [2],
  rank: [4],
};

/** Combinations of parameters that have no effect alone. */
const together: { readonly [id: string]: readonly object[] } = {
  sinusoidal: [
    { frequencies: 'tensor2tensor', layout: 'concatenated', min_timescale: 2, max_timescale: 300 },
    { odd_width: 'rounded_up', layout: 'concatenated' },
    { odd_width: 'zero_padded', layout: 'concatenated', scaled: true, padding_idx: 2 },
  ],
  normalised_index: [{ convention: 'linspace', range: 'symmetric' }],
  fourier: [{ matrix: 'identity', normalise: true, order: 'sin_cos' }],
  nerf: [{ factor_pi: false, include_input: true, sampling: 'linear', levels: 5 }],
  learned: [{ scaled: true, row_offset: 3, max_length: 40 }],
  rope: [
    { rotary_fraction: 0.5, layout: 'half_split' },
    { scaling: 'yarn', mscale: 0.7, mscale_all_dim: 0.9 },
    { scaling: 'yarn', factor: 1 },
    { scaling: 'yarn', truncate: false, original_length: 64 },
    { scaling: 'yarn', original_length: 2 },
    { scaling: 'yarn', original_length: 2000000000, base: 50 },
    { start_tokens: 4, attention_factor: 1.25 },
    { scaling: 'dynamic_ntk', sequence_length: 9000, start_tokens: 4 },
    { scaling: 'longrope', sequence_length: 9000, max_length: 8192 },
    { scaling: 'longrope', sequence_length: 9000, magnitude: 'yarn', start_tokens: 6 },
    { scaling: 'linear', kept_fraction: 0.4, start_tokens: 7 },
    { scaling: 'dynamic_ntk', sequence_length: 9000, rotary_dim: 2 },
    { rotary_offset: 8, rotary_dim: 4, layout: 'half_split' },
    { rotary_offset: 6, rotary_fraction: 0.4 },
    { remap: 'dual_chunk', chunk: 3, max_position: 4 },
  ],
  forgetting: [{ rotation: 'rope', layout: 'half_split' }],
  path: [{ eps: 0 }],
  mrope: [{ layout: 'interleaved', arrangement: 'interleaved', rotary_dim: 12 }],
  rope_2d: [
    { convention: 'pixel', rows: 1, columns: 1 },
    { convention: 'pixtral', rotary_dim: 8 },
  ],
  rope_fourier: [
    { floor_length: 64, rest: 'sine_one', pairs: 2 },
    { pairs: 8, noise: 0.05 },
  ],
  xpos: [{ length: 9, center: 'lucidrains', layout: 'half_split' }],
  kerple: [{ form: 'weighted_power', right: 'zero' }],
  t5: [{ bidirectional: false, num_buckets: 20, max_distance: 90 }],
  relative_bias: [{ max_length: 12, beyond: 'clip', placement: 'inside', per_head: true }],
  shaw: [{ per_head: true, direction: 'left_positive', clip: 2 }],
  deberta: [
    { position_buckets: 0, max_relative_positions: 5, terms: 'c2p' },
    { position_buckets: 8, max_relative_positions: 60, terms: 'p2c' },
    { position_buckets: 2, max_relative_positions: 60 },
  ],
};

/** Shapes for 3 heads (alibi: 11), 9 keys and dim 8 (query_key encodings: 16). */
const arrays: { readonly [id: string]: readonly { readonly [param: string]: readonly number[] | number | string | boolean }[] } = {
  sinusoidal: [{ scaled: true, scale: [1] }],
  fourier: [{ frequency_matrix: [4, 2] }, { features: 4, amplitudes: [4] }, { features: 4, amplitudes: [4], normalise: true }],
  learned: [{ table: [30, 8] }],
  rope: [
    { scaling: 'longrope', short_factor: [8] },
    { scaling: 'longrope', long_factor: [8], sequence_length: 9000 },
  ],
  rope_mixed: [{ frequencies: [2, 3, 8] }],
  alibi: [{ slopes: [11] }, { form: 'half_heads', slopes: [11] }],
  kerple: [
    { form: 'weighted_power', r1: [3], r2: [3], wei_a: [3], wei_p: [3] },
    { form: 'power', r2: [3] },
  ],
  t5: [{ table: [32, 3] }],
  fire: [{ mlp_width: 5, w1: [5, 1], b1: [5], w2: [3, 5], b2: [3], c: [1], l_multiplier: [1], init_l: 4 }],
  relative_bias: [
    { max_length: 40, b: [79] },
    { max_length: 10, per_head: true, b: [3, 19] },
  ],
  transformer_xl: [{ u: [3, 8], v: [3, 8], w_r: [24, 10] }],
  deberta: [{ position_buckets: 0, max_relative_positions: 4, pos_key: [3, 8, 8], pos_query: [3, 8, 8] }],
  shaw: [
    { clip: 2, table_k: [5, 8], table_v: [5, 8] },
    { clip: 2, per_head: true, table_k: [3, 5, 8], table_v: [3, 5, 8] },
  ],
  pope: [{ phase: [3, 16] }],
  rope_fourier: [{ pairs: 4, sin_weight: [3, 8, 4], cos_weight: [3, 8, 4] }],
  grape_a: [
    { omega: [3], u: [3, 8] },
    { gate: 'both', u: [3, 8], r: [3, 8] },
  ],
  liere: [{ block: 8, generators: [2, 3, 2, 8, 8] }],
  dape: [
    { mlp_width: 5, w1: [5, 6], b1: [5], w2: [3, 5], b2: [3], bias_r1: [3], bias_r2: [3] },
    { bias: 'alibi', bias_slopes: [3] },
    { bias: 'fire', bias_w1: [32, 1], bias_b1: [32], bias_w2: [3, 32], bias_b2: [3], bias_c: [1], bias_l_multiplier: [1] },
    { bias: 't5', bias_table: [32, 3] },
  ],
  cope: [{ npos: 6, pos_emb: [8, 6] }, { gate_key: [3, 9, 8] }],
};

const mapTensor = ({ shape, data }: Tensor, transform: (value: number) => number): Tensor => ({ shape, data: data.map(transform) });

/** Factors of LongRoPE are positive; values of KERPLE include some outside their clamped range. */
const restrictValues = (id: string, tensor: Tensor): Tensor => {
  if (id === 'rope') return mapTensor(tensor, (value) => Math.abs(value) + 0.5);
  return id === 'kerple' ? mapTensor(tensor, (value) => -3 * value) : tensor;
};

const withArrays = (id: string, params: object, draw: Draw): object =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]: [string, number[] | number], index) => {
      return [name, Array.isArray(value) ? restrictValues(id, draw(100 + index, ...value)) : value];
    }),
  );

/** A value other than the default, for parameters that are not in `valuesOfParam`: twice the default (1 for 0), or half if that is out of range. */
function another({ name, kind, default: usual, min, max }: ParamInfo): number {
  const largeValue = usual === 0 ? 1 : 2 * Number(usual);
  const value = largeValue >= min && largeValue <= max ? largeValue : Number(usual) / 2;
  const rounded = kind === 'integer' ? Math.round(value) : value;
  if (!(rounded >= min && rounded <= max) || rounded === usual) throw new Error(`${name}: give numbers to test it with`);
  return rounded;
}

function valuesOf(id: string, info: ParamInfo): (string | number | boolean)[] {
  const { name, kind, choices, default: usual } = info;
  if (kind === 'choice') return choices.filter((choice) => choice !== usual);
  if (kind === 'boolean') return [!usual];
  if (kind === 'tensor') return [];
  return [...(valuesOfParam[`${id}.${name}`] ?? valuesOfParam[name] ?? [another(info)])];
}

export function specsOf({ id, params }: EncodingInfo, draw: Draw): EncodingSpec[] {
  const singleSpecs = params.flatMap((param) =>
    (param.appliesWhen?.values ?? [undefined]).flatMap((when) =>
      valuesOf(id, param).map((value) => ({
        ...(when === undefined ? {} : { [param.appliesWhen?.param as string]: when === 'true' ? true : when === 'false' ? false : when }),
        [param.name]: value,
      })),
    ),
  );
  const pairs = (...sections: number[]): object => ({ sections: { shape: [3], data: Float32Array.from(sections) } });
  const sections = id === 'mrope' ? [pairs(4, 3, 1), { arrangement: 'interleaved', ...pairs(3, 3, 2) }] : [];
  return [
    {},
    ...singleSpecs,
    ...(together[id] ?? []),
    ...(arrays[id] ?? []).map((tensor) => withArrays(id, tensor, draw)),
    ...sections,
  ].map((tensor) => ({
    ...tensor,
    id: id as DynamicId,
  }));
}
