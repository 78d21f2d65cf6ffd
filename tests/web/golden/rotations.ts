// What turns queries and keys: the families rope and rope_scaling, and the rotations of pos2d.

import type { EncodingChoice, Params, Positions, Tensor } from '../../../web/engine/types.ts';
import { type Case, type Methods, type Runner, TABLE, upward } from './case.ts';
import { places } from './tables.ts';

type Engine = Parameters<Runner>[1];

const base = (c: Case) => (c.has('base') ? { base: c.number('base') } : {});
const role = (name: string) => (name === 'k' ? 'key' : 'query');

async function turn(c: Case, phasor: Engine, encoding: string, params: Params, name: string, suffix = '_rot'): Promise<void> {
  const x = c.tensor(name, 3);
  const tokens = x.shape[1] ?? 0;
  c.claims('n', tokens);
  c.claims('d', x.shape[2]);
  const positions = c.hasInput('position_ids') ? c.input('position_ids').data : upward(tokens, c.numberOr('offset', 0));
  c.expect(name + suffix, await phasor.rotate(x, { encoding, ...params, positions, role: role(name) }), TABLE);
}

async function turnBoth(c: Case, phasor: Engine, encoding: string, params: Params): Promise<void> {
  await turn(c, phasor, encoding, params, 'q');
  if (c.hasInput('k')) await turn(c, phasor, encoding, params, 'k');
}

async function expectFrequencies(c: Case, phasor: Engine, params: Params): Promise<number> {
  const { inverse, attentionFactor } = await phasor.ropeFrequencies({
    encoding: { id: 'rope', ...params } as EncodingChoice,
    width: c.integer('d'),
  });
  c.expect('inv_freq', inverse, 1e-6, 'relative');
  return attentionFactor;
}

/** A method that turns with these parameters of rope, and perhaps tells the frequencies. */
const rope =
  (params: (c: Case) => Params, suffix?: string): Runner =>
  async (c, phasor) => {
    const given = { ...params(c), ...base(c) };
    if (c.hasOutput('inv_freq')) await expectFrequencies(c, phasor, given);
    if (suffix) await turn(c, phasor, 'rope', given, 'q', suffix);
    else await turnBoth(c, phasor, 'rope', given);
  };

const xpos =
  (center: string, formula: string): Runner =>
  async (c, phasor) => {
    c.claims('center', formula);
    const params = { center, scale_base: c.number('scale_base'), ...(c.has('gamma') ? { gamma: c.number('gamma') } : {}), ...base(c) };
    await turnBoth(c, phasor, 'xpos', { ...params, length: c.number('n') });
    if (!c.hasOutput('zeta')) return;
    // scale_base tokens from the centre a query is multiplied by zeta: so long is then a pair that had the length sqrt(2).
    const width = c.integer('d');
    const ones = { shape: [1, 1, width], data: new Float32Array(width).fill(1) };
    const { data } = await phasor.rotate(ones, { encoding: 'xpos', ...params, length: 0, positions: [c.number('scale_base')] });
    const zeta = upward(width / 2).map((t) => Math.hypot(data[2 * t] ?? Number.NaN, data[2 * t + 1] ?? Number.NaN) / Math.SQRT2);
    c.expect('zeta', { shape: [width / 2], data: zeta }, TABLE);
  };

/** position_ids_thw [axis, token] -> positions with three coordinates. */
const mrope =
  (arrangement: string): Runner =>
  async (c, phasor) => {
    const sections = c.numbers('mrope_section');
    const { shape, data } = c.input('position_ids_thw');
    const [axes = 0, tokens = 0] = shape;
    if (shape.length !== 2 || axes !== 3) c.fail('input position_ids_thw is not [3, token]');
    const positions = {
      shape: [tokens, 3],
      data: upward(tokens).flatMap((token) => [0, 1, 2].map((axis) => data[axis * tokens + token] ?? 0)),
    };
    const request = {
      encoding: 'mrope',
      arrangement,
      sections: { shape: [sections.length], data: Float32Array.from(sections) },
      ...base(c),
      positions,
    };
    if (c.hasOutput('angle')) c.expect('angle', await phasor.angles({ ...request, width: c.integer('d') }), TABLE);
    for (const name of ['q', 'k'].filter((name) => c.hasInput(name))) {
      const x = c.tensor(name, 3);
      c.claims('d', x.shape[2]);
      c.expect(`${name}_rot`, await phasor.rotate(x, { ...request, role: role(name) }), TABLE);
    }
  };

// ---- pictures ------------------------------------------------------------------------------------------------------

function expectWaves(c: Case, angles: Tensor): void {
  if (c.hasOutput('cos')) c.expect('cos', { ...angles, data: angles.data.map(Math.cos) }, TABLE);
  if (c.hasOutput('sin')) c.expect('sin', { ...angles, data: angles.data.map(Math.sin) }, TABLE);
}

const ropeVit: Runner = async (c, phasor) => {
  const request = {
    encoding: 'rope_2d',
    convention: 'rope_vit',
    ...(c.has('theta') ? { base: c.number('theta') } : {}),
    positions: places([c.integer('end_y'), c.integer('end_x')]),
  };
  expectWaves(c, await phasor.angles({ ...request, width: c.integer('dh') }));
  for (const name of ['q', 'k'].filter((name) => c.hasInput(name))) {
    const x = c.tensor(name, 3);
    c.claims('dh', x.shape[2]);
    c.claims('heads', x.shape[0]);
    c.expect(`${name}_rot`, await phasor.rotate(x, { ...request, role: role(name) }), TABLE);
  }
};

/**
 * The stand-alone file of rope-vit forms the angles as (heads, tokens) and then reads that memory as (tokens, heads): row (h, n) of q
 * is turned as head m / N and token m % N, m = n heads + h. Rows are put where their angles belong, turned, and put back.
 */
function exchanged(x: Tensor, back: boolean): Tensor {
  const [heads = 0, tokens = 0, width = 0] = x.shape;
  const data = new Float32Array(x.data.length);
  for (let h = 0; h < heads; h += 1) {
    for (let n = 0; n < tokens; n += 1) {
      const [mine, there] = [h * tokens + n, n * heads + h];
      const [from, to] = back ? [there, mine] : [mine, there];
      data.set(x.data.subarray(from * width, (from + 1) * width), to * width);
    }
  }
  return { shape: x.shape, data };
}

const mixed: Runner = async (c, phasor) => {
  const request = { encoding: 'rope_mixed', frequencies: c.tensor('freqs'), positions: places([c.integer('end_y'), c.integer('end_x')]) };
  for (const name of ['q', 'k']) {
    const x = c.tensor(name, 3);
    c.claims('dh', x.shape[2]);
    c.claims('heads', x.shape[0]);
    c.expect(`${name}_rot`, exchanged(await phasor.rotate(exchanged(x, false), { ...request, role: role(name) }), true), TABLE);
  }
};

/** The class token stands last, where it is not turned. */
const classToken: Runner = async (c, phasor) => {
  c.claims('cls', 'last token, unrotated');
  c.claims('position_start', 1);
  const grid = c.integer('grid');
  const x = c.tensor('x', 2);
  c.claims('dh', x.shape[1]);
  const positions = { shape: [grid * grid + 1, 2], data: [...places([grid, grid]).data, -1, -1] };
  const turned = await phasor.rotate(
    { ...x, shape: [1, ...x.shape] },
    { encoding: 'rope_2d', convention: 'llama4', ...base(c), positions },
  );
  c.expect('x_rot', { ...turned, shape: x.shape }, TABLE);
};

/** Cosines and sines of all channels: those of the pairs, twice. */
const pixtral: Runner = async (c, phasor) => {
  const [grid, width] = [c.integer('grid'), c.integer('dh')];
  const { shape, data } = await phasor.angles({
    encoding: 'rope_2d',
    convention: 'pixtral',
    ...base(c),
    width,
    positions: places([grid, grid]),
  });
  const [patches = 0, pairs = 0] = shape;
  const all = upward(patches).flatMap((p) => [...Array(2)].flatMap(() => [...data.subarray(p * pairs, (p + 1) * pairs)]));
  expectWaves(c, { shape: [patches, width], data: Float32Array.from(all) });
};

const pixel: Runner = async (c, phasor) => {
  const [rows = 0, columns = 0] = c.numbers('grid');
  const turned = 2 * c.integer('dim');
  const x = c.tensor('x');
  const width = x.shape.at(-1) ?? 0;
  const request = {
    encoding: 'rope_2d',
    convention: 'pixel',
    rows,
    columns,
    max_freq: c.number('max_freq'),
    rotary_width: turned,
    positions: places([rows, columns]) as Positions,
  };
  const got = await phasor.rotate({ ...x, shape: [1, rows * columns, width] }, request);
  c.expect('x_rot', { ...got, shape: x.shape }, TABLE);
  const { data } = await phasor.angles({ ...request, width });
  const channels = [...data].flatMap((angle) => [angle, angle]);
  c.expect('freqs', { shape: [rows, columns, turned], data: channels }, TABLE);
};

// ---- context extension ---------------------------------------------------------------------------------------------

/** Params of the files and parameters of rope; null means that it is not given. */
const shared = {
  factor: 'factor',
  original_max_position_embeddings: 'original_length',
  attention_factor: 'attention_factor',
  seq_len: 'sequence_length',
};
const yarnOnly = { beta_fast: 'beta_fast', beta_slow: 'beta_slow', mscale: 'mscale', mscale_all_dim: 'mscale_all_dim' };

function given(c: Case, names: Readonly<Record<string, string>>): Record<string, number> {
  const entries = Object.entries(names).map(([name, param]) => [param, c.numberOr(name, undefined)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const yarn = (c: Case): Params => ({
  scaling: 'yarn',
  ...given(c, { ...shared, ...yarnOnly }),
  ...(c.has('truncate') ? { truncate: c.boolean('truncate') } : {}),
});

const list = (values: readonly number[]): Tensor => ({ shape: [values.length], data: Float32Array.from(values) });

/** A method that tells frequencies and attention factor. */
const scaling =
  (params: (c: Case) => Params): Runner =>
  async (c, phasor) => {
    const factor = await expectFrequencies(c, phasor, { ...params(c), ...base(c) });
    c.expect('attention_factor', { shape: [1], data: [factor] }, 1e-9);
  };

const partNtk = (c: Case): Params => {
  const [[beta_0, beta_1, ...b], [gamma_0, gamma_1, ...g]] = [c.numbers('beta'), c.numbers('gamma')];
  if (beta_1 === undefined || gamma_1 === undefined || b.length + g.length > 0) c.fail('params beta and gamma are not two numbers each');
  return { scaling: 'part_ntk', ...given(c, shared), beta_0, beta_1, gamma_0, gamma_1 } as Params;
};

/** Microsoft's class knows one list of factors, for texts beyond the original length. */
const longropeRescaled = (c: Case): Params => {
  const params = given(c, { ...shared, max_position_embeddings: 'max_length' });
  const policy: Params =
    typeof c.param('policy') === 'number'
      ? { attention_factor: c.number('policy') }
      : { magnitude: c.word('policy', { su: 'su', yarn: 'yarn' }) };
  const sequence_length = (params.original_length ?? Number.NaN) + 1;
  return { scaling: 'longrope', ...params, ...policy, sequence_length, long_factor: list(c.numbers('rescale_factors')) };
};

const yarnApplied: Runner = async (c, phasor) => {
  const request = { encoding: 'rope', layout: 'half_split', ...yarn(c), ...base(c), positions: c.numbers('position_ids') };
  for (const name of ['q', 'k'].filter((name) => c.hasInput(name))) {
    const x = c.tensor(name, 3);
    c.claims('d', x.shape[2]);
    c.expect(`${name}_rot`, await phasor.rotate(x, { ...request, role: role(name) }), TABLE);
  }
};

export const rotations: Methods = {
  rope_inv_freq: async (c, phasor) => {
    await expectFrequencies(c, phasor, base(c));
  },
  rope_half: rope(() => ({ layout: 'half_split' })),
  rope_interleaved: rope(() => ({ layout: 'interleaved' })),
  rope_partial_half: rope((c) => ({ layout: 'half_split', rotary_width: c.number('rotary_dim') })),
  rope_partial_interleaved: rope((c) => ({ layout: 'interleaved', rotary_width: c.number('rotary_dim') })),
  rope_p: rope((c) => ({ layout: 'half_split', kept_fraction: c.number('p') }), '_rot_half'),
  xpos_torchscale: xpos('torchscale', 'min_pos = floor(-n/2)'),
  xpos_lucidrains: xpos('lucidrains', 'pos - n//2'),
  mrope_sections: mrope('contiguous'),
  mrope_interleaved: mrope('interleaved'),
  rope2d_axial_interleaved: ropeVit,
  rope2d_mixed_interleaved: mixed,
  rope2d_axial_interleaved_cls: classToken,
  rope2d_axial_half: pixtral,
  rope2d_axial_interleaved_pixel: pixel,
  rope_linear: scaling((c) => ({ scaling: 'linear', ...given(c, shared) })),
  rope_ntk_aware: scaling((c) => ({ scaling: 'ntk_aware', factor: c.number('alpha') })),
  // Here the context of the original training is called max_position_embeddings.
  rope_dynamic_ntk: scaling((c) => ({ scaling: 'dynamic_ntk', ...given(c, { ...shared, max_position_embeddings: 'original_length' }) })),
  rope_yarn: scaling(yarn),
  rope_part_ntk_repo: scaling(partNtk),
  rope_longrope: scaling((c) => ({
    scaling: 'longrope',
    ...given(c, { ...shared, max_position_embeddings: 'max_length' }),
    short_factor: list(c.numbers('short_factor')),
    long_factor: list(c.numbers('long_factor')),
  })),
  rope_longrope_ms: scaling(longropeRescaled),
  rope_llama3: scaling((c) => ({
    scaling: 'llama3',
    ...given(c, { ...shared, low_freq_factor: 'low_freq_factor', high_freq_factor: 'high_freq_factor' }),
  })),
  rope_yarn_applied: yarnApplied,
};
