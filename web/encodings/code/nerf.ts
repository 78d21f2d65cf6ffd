import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) => {
  const levels = Number(param('levels'));
  const linear = `1 + (2.0 ** ${levels - 1} - 1) * np.arange(${levels}) / ${Math.max(levels - 1, 1)}`;
  const extent = Number(param('extent'));
  return program([
    lines(
      'def encode(positions, width):',
      '    """The Fourier map of NeRF (Mildenhall et al. 2020, equation 4): its own number of channels, whatever the width."""',
      `    frequencies = ${param('sampling') === 'log' ? `2.0 ** np.arange(${levels})` : linear}`,
      `    x = np.asarray(positions, dtype=np.float64).reshape(len(positions), -1)${extent === 1 ? '' : ` / ${extent}`}`,
      '    products = frequencies[:, None] * x[:, None, :]',
      param('factor_pi') === true
        ? '    angles = math.pi * (products % 2)  # whole turns come off before pi comes in'
        : '    angles = products',
      '    table = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(len(x), -1)',
      param('include_input') === true ? '    return np.concatenate([x, table], axis=1)' : '    return table',
    ),
  ]);
};
