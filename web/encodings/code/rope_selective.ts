import { CONVOLVED, convolvedBy, trained } from './parts/convolved.ts';
import { lines, program } from './parts/program.ts';
import { rotation } from './parts/rotation.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const temperature = Number(param('temperature_max'));
  const turn = rotation({
    layout: param('layout') as 'interleaved' | 'half_split',
    doc: 'Selective RoPE of queries or keys x (heads, tokens, width), the last tokens.',
    angles: 'angles(steps, gate)[:, -x.shape[1] :]',
  });
  return program([
    lines(
      'def angles(steps, gate=None):',
      '    """By how much each pair of each token is rotated: the sums of steps (heads, tokens, pairs), times gate (heads, tokens)."""',
      '    steps = np.asarray(steps, dtype=np.float64)',
      '    if gate is not None:',
      '        steps = steps * np.asarray(gate, dtype=np.float64)[..., None]',
      '    pairs = steps.shape[-1]',
      `    return ${temperature === 1 ? '' : `${temperature} * `}${param('base')} ** (-np.arange(pairs) / pairs) * np.cumsum(steps, axis=1)`,
    ),
    turn.replace("def rotate(x, positions, role='query'):", 'def rotate(x, steps, gate=None):'),
    CONVOLVED,
    lines(
      'def made(x, heads):',
      '    """Steps (heads, tokens, pairs) and gates (heads, tokens) of embeddings x (tokens, width), as a layer makes them."""',
      '    x, width, pairs = np.asarray(x, dtype=np.float64), x.shape[-1], x.shape[-1] // heads // 2',
      '    parts = x.reshape(len(x), heads, -1)',
      '    y = (parts / ((parts * parts).sum(axis=-1)[..., None] + 1e-6) ** 0.5).reshape(len(x), width)',
      `    steps = ${convolvedBy(param, given, 'phi', 'y', 'heads * pairs', 4)}`,
      '    steps = np.stack([steps[:, head * pairs : (head + 1) * pairs] for head in range(heads)])',
      param('biased') === true && `    steps = steps + ${given('phi_bias') ? `np.exp(${given('phi_bias')})[:, None]` : '1.0'}`,
      param('gated') === true
        ? `    logits = ${trained(given, param('seed'), 'gate_weight', 3, 'heads', 'width')} @ y.T${given('gate_bias') ? ` + ${given('gate_bias')}[:, None]` : ''}`
        : undefined,
      `    return steps, ${param('gated') === true ? '1 / (1 + np.exp(-logits))' : 'None'}`,
    ),
  ]);
};
