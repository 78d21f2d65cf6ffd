import { lines, program } from './parts/program.ts';
import { timescales } from './parts/timescales.ts';
import type { EncodingSource } from './source.ts';

const docs: { readonly [convention: string]: string } = {
  mae: 'Sines and cosines for each coordinate, the column first (He et al. 2021, MAE).',
  interleaved: 'Sines and cosines for each coordinate, alternating (tatp22/multidim-positional-encoding).',
  tensor2tensor: 'Sines and cosines for each coordinate (tensor2tensor, add_timing_signal_nd).',
};

export const source: EncodingSource = (param) => {
  const convention = String(param('convention'));
  const base = param('base');
  const waves: { readonly [convention: string]: readonly [string, string] } = {
    mae: ['width // (2 * axes)', `${base} ** (-np.arange(waves) / waves)`],
    interleaved: ['math.ceil(width / (2 * axes))', `${base} ** (-np.arange(waves) / waves)`],
    tensor2tensor: ['width // (2 * axes)', timescales(param('min_timescale'), param('max_timescale'))],
  };
  const [count, frequencies] = waves[convention] as readonly [string, string];
  return program([
    lines(
      'def encode(positions, width):',
      `    """${docs[convention]}"""`,
      '    coordinates = np.asarray(positions, dtype=np.float64).reshape(len(positions), -1)',
      '    axes = coordinates.shape[1]',
      `    waves = ${count}`,
      `    frequencies = ${frequencies}`,
      '    blocks = []',
      `    for axis in ${convention === 'mae' ? 'reversed(range(axes))' : 'range(axes)'}:`,
      '        angles = coordinates[:, axis, None] * frequencies',
      convention === 'interleaved'
        ? '        blocks.append(np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1))'
        : '        blocks += [np.sin(angles), np.cos(angles)]',
      '    table = np.concatenate(blocks, axis=1)',
      convention === 'mae' && '    return table',
      convention === 'interleaved' && '    return table[:, :width]',
      convention === 'tensor2tensor' && '    return np.pad(table, ((0, 0), (0, width - table.shape[1])))',
    ),
  ]);
};
