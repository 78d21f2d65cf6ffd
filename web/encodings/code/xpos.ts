import { lines, program } from './parts/program.ts';
import { rotation } from './parts/rotation.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) => {
  const gamma = param('gamma');
  const half = Number(param('length')) / 2;
  const center = param('center') === 'torchscale' ? Math.ceil(half) : Math.floor(half);
  return program([
    lines(
      'def angles(positions, width):',
      '    """By how much each pair is rotated at each position."""',
      `    frequencies = ${param('base')} ** (-2.0 * np.arange(width // 2) / width)`,
      '    return np.asarray(positions, dtype=np.float64)[:, None] * frequencies',
    ),
    rotation({
      layout: param('layout') as 'interleaved' | 'half_split',
      doc: 'XPos (Sun et al. 2022) of x (heads, positions, width): queries grow with the position as keys shrink.',
      gain: {
        lines: [
          `    zeta = (2 * np.arange(width // 2) + ${gamma} * width) / ((1 + ${gamma}) * width)`,
          `    steps = np.asarray(positions, dtype=np.float64)[:, None]${center === 0 ? '' : ` - ${center}`}`,
          `    gain = zeta ** ((steps if role == 'query' else -steps) / ${param('scale_base')})`,
        ],
        name: 'gain',
      },
    }),
  ]);
};
