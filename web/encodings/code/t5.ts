import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const bidirectional = param('bidirectional') === true;
  const all = Number(param('num_buckets'));
  const side = bidirectional ? Math.floor(all / 2) : all;
  const exact = Math.floor(side / 2);
  const multiplier = Number(param('multiplier'));
  const std = Number(param('init_std'));
  const table = given('table') ?? `${std === 1 ? '' : `${std} * `}gaussian(${streamOf(param('seed'), 0)}, (${all}, heads))`;
  return program(
    [
      lines(
        'def bucket(relative_position):',
        `    """T5's buckets of key - query: ${exact} distances have their own, the others share logarithmic ones up to ${param('max_distance')}."""`,
        bidirectional
          ? '    distance = np.floor(np.abs(relative_position))'
          : '    distance = np.floor(np.clip(-relative_position, 0, None))  # keys on the right are at 0',
        `    steps = np.log(np.clip(distance, 1, None) / ${exact}) / math.log(${param('max_distance')} / ${exact}) * ${side - exact}`,
        `    far = np.clip(${exact} + np.floor(steps + 1e-9), None, ${side - 1})  # whole steps may be rounded to just below`,
        bidirectional
          ? `    return (np.where(distance < ${exact}, distance, far) + ${side} * (relative_position > 0)).astype(int)`
          : `    return np.where(distance < ${exact}, distance, far).astype(int)`,
      ),
      lines(
        'def bias(heads, queries, keys):',
        '    """A trained number for each bucket of distances and head (Raffel et al. 2019); scores are not divided by sqrt(d)."""',
        `    table = ${table}  # (buckets, heads)`,
        `    return ${multiplier === 1 ? '' : `${multiplier} * `}np.moveaxis(table[bucket(keys - queries[:, None])], -1, 0)`,
      ),
    ],
    '1.0',
  );
};
