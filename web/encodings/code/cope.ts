import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const npos = Number(param('npos'));
  const std = Number(param('init_std'));
  const gateKey = given('gate_key');
  const table = given('pos_emb') ?? `${std === 1 ? '' : `${std} * `}gaussian(${streamOf(param('seed'), 0)}, (q.shape[-1], ${npos}))`;
  const inside = param('placement') === 'inside';
  return program([
    lines(
      'def content_bias(q, k, queries, keys, scale):',
      '    """CoPE (Golovneva et al. 2024): positions count the earlier tokens that matter, and content decides which do."""',
      '    q, k = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64)',
      gateKey !== undefined && `    gate_key = ${gateKey}`,
      `    logits = scale * q @ ${gateKey === undefined ? 'k' : 'gate_key'}.swapaxes(-1, -2)`,
      '    gates = np.where(keys <= queries[:, None], 1 / (1 + np.exp(-logits)), 0.0)',
      `    positions = np.clip(np.flip(np.cumsum(np.flip(gates, (-1,)), axis=-1), (-1,)), 0, ${npos - 1})  # from the key to the query`,
      `    pos_emb = ${table}`,
      `    products = ${inside ? 'scale * ' : ''}q @ pos_emb  # (heads, queries, ${npos})`,
      '    low, high = np.floor(positions), np.ceil(positions)',
      '    at_low = np.take_along_axis(products, low.astype(int), axis=-1)',
      '    at_high = np.take_along_axis(products, high.astype(int), axis=-1)',
      '    return at_low + (positions - low) * (at_high - at_low)',
    ),
  ]);
};
