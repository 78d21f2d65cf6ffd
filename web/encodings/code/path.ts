import { CONVOLVED, convolvedBy, trained } from './parts/convolved.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const eps = Number(param('eps'));
  return program([
    lines(
      'def products(q, k, w, beta):',
      '    """PaTH (Yang et al. 2025): q.k after every token between them has reflected the key; w (heads, keys, width), beta (heads, keys)."""',
      '    x, moved = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64)',
      '    w, beta = np.asarray(w, dtype=np.float64), np.asarray(beta, dtype=np.float64)',
      param('normalise_w') === true && `    w = w / ((w * w).sum(axis=-1)[..., None]${eps === 0 ? '' : ` + ${eps}`}) ** 0.5`,
      '    keys, first = moved.shape[1], moved.shape[1] - x.shape[1]',
      '    rows = []',
      '    for t in range(keys):',
      '        along = beta[:, t, None] * (moved @ w[:, t, :, None])[..., 0]  # (heads, keys)',
      '        along = np.where(np.arange(keys) < t, along, 0.0)',
      '        moved = moved - along[..., None] * w[:, None, t]',
      '        if t >= first:',
      '            rows = rows + [(moved @ x[:, t - first, :, None])[..., 0]]',
      '    return np.stack(rows, axis=1).astype(q.dtype)',
    ),
    CONVOLVED,
    lines(
      'def made(x, heads):',
      '    """w (heads, tokens, width of a head) and beta (heads, tokens) of embeddings x (tokens, width), as a layer makes them."""',
      '    x, width, size = np.asarray(x, dtype=np.float64), x.shape[-1], x.shape[-1] // heads',
      `    z = ${convolvedBy(param, given, 'w', 'x', 'width', 3)}`,
      '    w = z / (1 + np.exp(-z))',
      `    logits = ${trained(given, param('seed'), 'beta_weight', 3, 'heads', 'width')} @ x.T${given('beta_bias') ? ` + ${given('beta_bias')}[:, None]` : ''}`,
      '    w = np.stack([w[:, head * size : (head + 1) * size] for head in range(heads)])',
      '    return w, 2 / (1 + np.exp(-logits))',
    ),
    lines(
      'def decay(log_gates, queries, keys, scale):',
      '    """What the tokens after a key forget: sums of log_gates (heads, tokens) up to each query, the last tokens."""',
      `    sums = np.cumsum(${param('gate_scaled') === true ? 'scale * ' : ''}np.asarray(log_gates, dtype=np.float64), axis=-1)`,
      '    return np.clip(sums[:, -len(queries) :, None] - sums[:, None, :], None, 0)',
    ),
  ]);
};
