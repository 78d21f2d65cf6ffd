import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const form = String(param('form'));
  const log = form === 'log';
  const drawn = (name: string, high: number, stream: number): string =>
    given(name) ?? `uniform(${streamOf(param('seed'), stream)}, (heads,), 0, ${high})`;
  const distance = (indent: string): string =>
    `${indent}distance = ${param('right') === 'zero' ? 'np.clip(queries[:, None] - keys, 0, None)' : 'np.abs(keys - queries[:, None])'}`;
  return program([
    lines(
      'def bias(heads, queries, keys):',
      `    """KERPLE, ${log ? 'logarithmic' : 'power'} form (Chi et al. 2022), with one kernel per head."""`,
      `    r1 = np.clip(${drawn('r1', log ? 2 : 1, 0)}, 0.01, None)[:, None, None]`,
      `    r2 = np.clip(${drawn('r2', log ? 1 : 2, 1)}, 0.01, ${log ? 'None' : '2'})[:, None, None]`,
      distance('    '),
      log ? '    return -r1 * np.log1p(r2 * distance)' : '    return -r1 * distance**r2',
    ),
    form === 'weighted_power'
      ? lines(
          'def content_bias(q, k, queries, keys, scale):',
          '    """The scores themselves fade with the distance: what turns s into s exp(-a D^p)."""',
          '    heads = q.shape[0]',
          `    a = np.clip(${drawn('wei_a', 1, 2)}, 0.01, None)[:, None, None]`,
          `    p = np.clip(${drawn('wei_p', 2, 3)}, 0.01, 2)[:, None, None]`,
          distance('    '),
          '    return (np.exp(-a * distance**p) - 1) * (scale * q @ k.swapaxes(-1, -2))',
        )
      : undefined,
  ]);
};
