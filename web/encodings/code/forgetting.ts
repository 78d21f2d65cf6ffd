import { streamOf } from './parts/drawn.ts';
import { lines, program } from './parts/program.ts';
import { rotation } from './parts/rotation.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const bias = given('gate_bias') ?? (Number(param('init_bias')) === 0 ? undefined : String(param('init_bias')));
  const weight = given('gate_weight') ?? `width ** -0.5 * gaussian(${streamOf(param('seed'), 0)}, (heads, width))`;
  const turns = param('rotation') === 'rope';
  return program([
    turns
      ? lines(
          'def angles(positions, width):',
          '    """By how much each pair is rotated at each position."""',
          `    return np.asarray(positions, dtype=np.float64)[:, None] * ${param('base')} ** (-2.0 * np.arange(width // 2) / width)`,
        )
      : undefined,
    turns
      ? rotation({
          layout: param('layout') as 'interleaved' | 'half_split',
          doc: 'Rotary position embedding (Su et al. 2021, equation 15) of queries or keys x (heads, positions, width).',
        })
      : undefined,
    lines(
      'def gates(x, heads):',
      '    """Logarithms of the forget gates of embeddings x (tokens, width), as a layer makes them: (heads, tokens)."""',
      '    x, width = np.asarray(x, dtype=np.float64), x.shape[-1]',
      `    weight = ${weight}`,
      `    logits = weight @ x.T${bias === undefined ? '' : given('gate_bias') ? ` + ${bias}[:, None]` : ` + ${bias}`}`,
      '    return -np.log1p(np.exp(-logits))',
    ),
    lines(
      'def decay(log_gates, queries, keys):',
      '    """What the tokens after a key forget (Lin et al. 2025): sums of log_gates (heads, tokens) up to each query, the last tokens."""',
      '    sums = np.cumsum(np.asarray(log_gates, dtype=np.float64), axis=-1)',
      '    return np.clip(sums[:, -len(queries) :, None] - sums[:, None, :], None, 0)',
    ),
  ]);
};
