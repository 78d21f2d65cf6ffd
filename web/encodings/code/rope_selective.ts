import { lines, program } from './parts/program.ts';
import { rotation } from './parts/rotation.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param) => {
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
  ]);
};
