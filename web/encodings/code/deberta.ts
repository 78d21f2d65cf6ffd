import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const buckets = Number(param('position_buckets'));
  const furthest = Number(param('max_relative_positions'));
  const span = buckets > 0 ? buckets : furthest;
  const middle = Math.floor(buckets / 2);
  const terms = String(param('terms'));
  const std = Number(param('init_std'));
  const drawn = (name: string, stream: number): string =>
    given(name) ?? `${std === 1 ? '' : `${std} * `}gaussian(${streamOf(param('seed'), stream)}, (heads, ${2 * span}, width))`;
  const toPosition = terms !== 'p2c';
  const toContent = terms !== 'c2p';
  return program(
    [
      buckets > 0
        ? `def bucket(distance):
    """DeBERTa's buckets of query - key: ${middle} distances a side have their own, the others share logarithmic ones."""
    size = np.abs(distance)
    steps = np.log(np.clip(size, ${middle}, None) / ${middle}) / math.log(${furthest - 1} / ${middle}) * ${middle - 1}
    far = ${middle} + np.ceil(steps - 1e-9)  # whole steps may be rounded to just above
    return np.sign(distance) * np.where(size <= ${middle}, size, far)`
        : undefined,
      lines(
        'def content_bias(q, k, queries, keys, scale):',
        `    """Disentangled attention (He et al. 2020): ${[toPosition && 'content to position', toContent && 'position to content'].filter(Boolean).join(' and ')}."""`,
        '    q, k = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64)',
        '    heads, _, width = q.shape',
        '    distance = queries[:, None] - keys',
        `    rows = np.clip(${buckets > 0 ? 'bucket(distance)' : 'distance'} + ${span}, 0, ${2 * span - 1}).astype(int)`,
        toPosition && `    pos_key = ${drawn('pos_key', 0)}`,
        toPosition && "    c2p = np.einsum('hqw,hrw->hqr', q, pos_key)[:, np.arange(len(queries), dtype=int)[:, None], rows]",
        toContent && `    pos_query = ${drawn('pos_query', 1)}`,
        toContent && "    p2c = np.einsum('hkw,hrw->hkr', k, pos_query)[:, np.arange(len(keys), dtype=int), rows]",
        `    return scale * ${terms === 'c2p_p2c' ? '(c2p + p2c)' : terms}`,
      ),
    ],
    `(${terms === 'c2p_p2c' ? 3 : 2} * width) ** -0.5`,
  );
};
