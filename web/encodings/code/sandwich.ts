import { program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) => {
  const waves = Number(param('db')) / 2;
  const t = param('index') === 'from_one' ? `np.arange(1, ${waves + 1})` : `np.arange(${waves})`;
  return program([
    `def bias(heads, queries, keys):
    """Sandwich (Chi et al. 2022): the inner product of two sinusoidal vectors, less that of a vector with itself."""
    frequencies = ${param('base')} ** (-2.0 * ${t} / ${param('db')})
    angles = (keys - queries[:, None])[:, :, None] * frequencies
    products = (np.cos(angles) - 1).sum(axis=-1)
    return products / (8 * np.arange(1, heads + 1) / heads)[:, None, None]`,
  ]);
};
