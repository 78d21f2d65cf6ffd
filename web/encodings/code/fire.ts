import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const units = Number(param('mlp_width'));
  const drawn = (name: string, shape: string, spread: string, stream: number): string =>
    given(name) ?? `uniform(${streamOf(param('seed'), stream)}, ${shape}, -${spread}, ${spread})`;
  const root = `${units} ** -0.5`;
  const [c, multiplier] = [given('c'), given('l_multiplier')];
  return program([
    lines(
      'def bias(heads, queries, keys):',
      '    """FIRE (Li et al. 2023): a small network of the distance, in units that grow with the position of the query."""',
      `    w1, b1 = ${drawn('w1', `(${units}, 1)`, '1', 0)}, ${drawn('b1', `(${units},)`, '1', 1)}`,
      `    w2, b2 = ${drawn('w2', `(heads, ${units})`, root, 2)}, ${drawn('b2', '(heads,)', root, 3)}`,
      `    c, limit = ${c ?? param('init_c')}, ${multiplier === undefined ? param('init_l') : `np.abs(${multiplier} * ${param('init_l')})`}`,
      '',
      '    def phi(x):',
      '        return np.log1p(np.abs(c * x))',
      '',
      `    unit = phi(${multiplier === undefined ? 'np.clip(queries, limit, None)' : 'np.maximum(queries, limit)'})[:, None] + ${param('eps')}`,
      '    x = phi(keys - queries[:, None]) / unit',
      '    hidden = np.clip(x[:, :, None] * w1[:, 0] + b1, 0, None)',
      '    return np.moveaxis(hidden @ w2.T + b2, -1, 0)',
    ),
  ]);
};
