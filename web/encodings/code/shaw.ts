import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const clip = Number(param('clip'));
  const perHead = param('per_head') === true;
  const std = Number(param('init_std'));
  const drawn = (name: string, stream: number, heads: string): string =>
    given(name) ??
    `${std === 1 ? '' : `${std} * `}gaussian(${streamOf(param('seed'), stream)}, (${perHead ? `${heads}, ` : ''}${2 * clip + 1}, width))`;
  const distance = param('direction') === 'right_positive' ? 'keys - queries[:, None]' : 'queries[:, None] - keys';
  return program([
    `def clipped(queries, keys):
    """The row of the tables for each query and key: distances, the same from ${clip} on."""
    return (np.clip(np.round(${distance}), -${clip}, ${clip}) + ${clip}).astype(int)`,
    lines(
      'def content_bias(q, k, queries, keys, scale):',
      `    """Relative positions as vectors (Shaw et al. 2018, equation 4): q . a^K by ${perHead ? 'head and ' : ''}clipped distance."""`,
      '    q = np.asarray(q, dtype=np.float64)',
      perHead ? '    heads, _, width = q.shape' : '    width = q.shape[-1]',
      `    table_k = ${drawn('table_k', 0, 'heads')}`,
      `    products = np.einsum('${perHead ? 'hqw,hrw->hqr' : 'hqw,rw->hqr'}', q, table_k)`,
      '    return scale * products[:, np.arange(len(queries), dtype=int)[:, None], clipped(queries, keys)]',
    ),
    param('values') === true
      ? lines(
          'def values(weights, queries, keys, width):',
          '    """What is added to the output (equation 3): the weights times a^V."""',
          `    table_v = ${drawn('table_v', 1, 'len(weights)')}`,
          perHead
            ? "    return np.einsum('hqk,hqkw->hqw', weights, table_v[:, clipped(queries, keys)].astype(weights.dtype))"
            : "    return np.einsum('hqk,qkw->hqw', weights, table_v[clipped(queries, keys)].astype(weights.dtype))",
        )
      : undefined,
  ]);
};
