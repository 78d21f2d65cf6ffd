import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const gate = String(param('gate'));
  const factor = Number(param('gate_scale')) > 0 ? String(param('gate_scale')) : 'width ** -0.5';
  const drawn = (name: string, stream: number): string =>
    given(name) ?? `width ** -0.5 * gaussian(${streamOf(param('seed'), stream)}, (heads, width))`;
  const omega = given('omega');
  return program([
    omega === undefined
      ? lines(
          'def slopes(heads):',
          '    """ALiBi\'s slopes (Press et al. 2022)."""',
          '    power = 2 ** math.floor(math.log2(heads))',
          '    first = 2.0 ** (-8.0 * (np.arange(power) + 1) / power)',
          '    other = 2.0 ** (-4.0 * (2 * np.arange(heads - power) + 1) / power)',
          '    return np.concatenate([first, other])',
        )
      : undefined,
    lines('def softplus(x):', '    return np.clip(x, 0, None) + np.log1p(np.exp(-np.abs(x)))'),
    lines(
      'def content_bias(q, k, queries, keys, scale):',
      '    """GRAPE-A (Zhang et al. 2025): ALiBi with slopes that depend on the contents."""',
      '    q, k = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64)',
      '    heads, width = q.shape[0], q.shape[-1]',
      `    omega = ${omega ?? 'slopes(heads)'}`,
      '    distance = np.clip(queries[:, None] - keys, 0, None)',
      gate !== 'query' && `    u = ${drawn('u', 0)}`,
      gate !== 'query' && `    by_key = softplus(${factor} * k @ u[:, :, None])  # (heads, keys, 1)`,
      gate !== 'key' && `    r = ${drawn('r', 1)}`,
      gate !== 'key' && `    by_query = softplus(${factor} * q @ r[:, :, None])  # (heads, queries, 1)`,
      `    gate = ${gate === 'query' ? 'by_query' : gate === 'key' ? 'by_key.swapaxes(-1, -2)' : 'by_key.swapaxes(-1, -2) + by_query'}`,
      '    return -distance * omega[:, None, None] * gate',
    ),
  ]);
};
