import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const phase = given('phase') ?? `uniform(${streamOf(param('seed'), 0)}, (x.shape[0], width), -2 * math.pi, 0)`;
  return program([
    lines(
      "def rotate(x, positions, role='query'):",
      '    """PoPE (Gopalakrishnan et al. 2025): x (heads, positions, width) as vectors of width 2 width, cosine and sine part in turn."""',
      '    width = x.shape[-1]',
      `    frequencies = ${param('base')} ** (-1.0 * np.arange(width) / width)`,
      '    angles = np.asarray(positions, dtype=np.float64)[:, None] * frequencies',
      "    if role == 'query':",
      `        phase = ${phase}`,
      '        angles = angles - np.clip(phase, -2 * math.pi, 0)[:, None]',
      '    content = np.asarray(x, dtype=np.float64)',
      '    lengths = np.clip(content, 0, None) + np.log1p(np.exp(-np.abs(content)))  # softplus',
      '    parts = np.stack([lengths * np.cos(angles), lengths * np.sin(angles)], axis=-1)',
      '    return parts.reshape(*x.shape[:-1], -1).astype(x.dtype)',
    ),
  ]);
};
