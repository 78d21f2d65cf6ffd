import { program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = () =>
  program([
    `def bias(heads, queries, keys):
    """The proximal bias of tensor2tensor: a penalty by the logarithm of the distance, the same for every head."""
    penalty = -np.log1p(np.abs(keys - queries[:, None]))
    return np.tile(penalty, (heads, 1, 1))`,
  ]);
