import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const n = Number(param('max_length'));
  const perHead = param('per_head') === true;
  const inside = param('placement') === 'inside';
  const clips = param('beyond') === 'clip';
  const std = Number(param('init_std'));
  const shape = perHead ? `(heads, ${2 * n - 1})` : `(${2 * n - 1},)`;
  const table = given('b') ?? `${std === 1 ? '' : `${std} * `}gaussian(${streamOf(param('seed'), 0)}, ${shape})`;
  const taken = perHead ? 'b[:, rows]' : 'np.tile(b[rows], (heads, 1, 1))';
  return program([
    lines(
      `def bias(heads, queries, keys${inside ? ', scale=1.0' : ''}):`,
      `    """A trained number for each distance${perHead ? ' and head' : ''}, without buckets${inside ? '; added to q.k before both are scaled' : ''}."""`,
      `    b = ${table}`,
      `    distance = ${clips ? `np.clip(queries[:, None] - keys, ${1 - n}, ${n - 1})` : 'queries[:, None] - keys'}`,
      !clips && `    assert np.abs(distance).max() < ${n}, 'two tokens are further apart than the table is long'`,
      `    rows = (np.round(distance) + ${n - 1}).astype(int)`,
      inside ? `    return scale * ${taken}` : `    return ${taken}`,
    ),
  ]);
};
