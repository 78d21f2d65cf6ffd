import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const offset = Number(param('row_offset'));
  return program([
    lines(
      'def encode(positions, width):',
      '    """A trained vector for each position (Gehring et al. 2017)."""',
      `    table = ${given('table') ?? `0.02 * gaussian(${param('seed')}, (${param('max_length')}, width))  # before training, as in BERT`}`,
      param('scaled') === true && '    table = table * width ** -0.5',
      `    rows = np.asarray(positions, dtype=int)${offset === 0 ? '' : ` + ${offset}`}`,
      '    return table[rows]',
    ),
  ]);
};
