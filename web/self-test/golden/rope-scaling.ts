// Context extension of rope (the golden family rope_scaling).

import type { Params, Tensor } from '../../engine/types/api.ts';
import { type Case, type Methods, type Runner, TABLE_TOLERANCE } from './case.ts';
import { baseParam, expectFrequencies, roleOf } from './rotations.ts';

/** Parameter names in golden files, and rope's names for them. Null values are not passed. */
const commonNames = {
  factor: 'factor',
  original_max_position_embeddings: 'original_length',
  attention_factor: 'attention_factor',
  seq_len: 'sequence_length',
};
const yarnNames = { beta_fast: 'beta_fast', beta_slow: 'beta_slow', mscale: 'mscale', mscale_all_dim: 'mscale_all_dim' };

function readParams(c: Case, names: Readonly<Record<string, string>>): Record<string, number> {
  const entries = Object.entries(names).map(([name, param]) => [param, c.numberOr(name, undefined)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const yarnParams = (c: Case): Params => ({
  scaling: 'yarn',
  ...readParams(c, { ...commonNames, ...yarnNames }),
  ...(c.has('truncate') ? { truncate: c.boolean('truncate') } : {}),
});

const toTensor = (values: readonly number[]): Tensor => ({ shape: [values.length], data: Float32Array.from(values) });

const scalingRunner =
  (params: (c: Case) => Params): Runner =>
  async (c, phasor) => {
    const factor = await expectFrequencies(c, phasor, { ...params(c), ...baseParam(c) });
    c.expect('attention_factor', { shape: [1], data: [factor] }, 1e-9);
  };

const partNtkParams = (c: Case): Params => {
  const [[beta_0, beta_1, ...b], [gamma_0, gamma_1, ...g]] = [c.numbers('beta'), c.numbers('gamma')];
  if (beta_1 === undefined || gamma_1 === undefined || b.length + g.length > 0) c.fail('params beta and gamma must have two numbers each');
  return { scaling: 'part_ntk', ...readParams(c, commonNames), beta_0, beta_1, gamma_0, gamma_1 } as Params;
};

/** Microsoft's implementation has only one list of factors, for sequences longer than the original length. */
const rescaledLongropeParams = (c: Case): Params => {
  const params = readParams(c, { ...commonNames, max_position_embeddings: 'max_length' });
  const policyParams: Params =
    typeof c.param('policy') === 'number'
      ? { attention_factor: c.number('policy') }
      : { magnitude: c.choice('policy', { su: 'su', yarn: 'yarn' }) };
  const sequence_length = (params.original_length ?? Number.NaN) + 1;
  return { scaling: 'longrope', ...params, ...policyParams, sequence_length, long_factor: toTensor(c.numbers('rescale_factors')) };
};

const yarnRotation: Runner = async (c, phasor) => {
  const request = {
    encoding: { id: 'rope', layout: 'half_split', ...yarnParams(c), ...baseParam(c) },
    positions: c.numbers('position_ids'),
  };
  for (const name of ['q', 'k'].filter((name) => c.hasInput(name))) {
    const x = c.tensor(name, 3);
    c.expectParam('d', x.shape[2]);
    c.expect(`${name}_rot`, await phasor.applyRotary(x, { ...request, role: roleOf(name) }), TABLE_TOLERANCE);
  }
};

export const ropeScalings: Methods = {
  rope_linear: scalingRunner((c) => ({ scaling: 'linear', ...readParams(c, commonNames) })),
  rope_ntk_aware: scalingRunner((c) => ({ scaling: 'ntk_aware', factor: c.number('alpha') })),
  // In this implementation, max_position_embeddings is the original context length.
  rope_dynamic_ntk: scalingRunner((c) => ({
    scaling: 'dynamic_ntk',
    ...readParams(c, { ...commonNames, max_position_embeddings: 'original_length' }),
  })),
  rope_yarn: scalingRunner(yarnParams),
  rope_part_ntk_repo: scalingRunner(partNtkParams),
  rope_longrope: scalingRunner((c) => ({
    scaling: 'longrope',
    ...readParams(c, { ...commonNames, max_position_embeddings: 'max_length' }),
    short_factor: toTensor(c.numbers('short_factor')),
    long_factor: toTensor(c.numbers('long_factor')),
  })),
  rope_longrope_ms: scalingRunner(rescaledLongropeParams),
  rope_llama3: scalingRunner((c) => ({
    scaling: 'llama3',
    ...readParams(c, { ...commonNames, low_freq_factor: 'low_freq_factor', high_freq_factor: 'high_freq_factor' }),
  })),
  rope_yarn_applied: yarnRotation,
};
