import { lines, program } from './parts/program.ts';
import { ropeFrequencies } from './parts/rope-frequencies.ts';
import { rotation } from './parts/rotation.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const { functions, rotaryWidth, factor } = ropeFrequencies(param, given);
  const sections = given('sections');
  const arrangement = String(param('arrangement'));
  const model = { contiguous: 'Qwen2-VL', interleaved: 'Qwen3-VL', video: 'VideoRoPE' }[arrangement];
  const temporal = Number(param('temporal_pairs')) || 'pairs // 4';
  return program([
    ...functions,
    lines(
      'def axis_of_pair(pairs):',
      `    """Which coordinate each pair reads: 0 time, 1 row, 2 column (${model})."""`,
      arrangement === 'video'
        ? undefined
        : sections === undefined
          ? '    rows = columns = 3 * pairs // 8'
          : `    time, rows, columns = (int(section) for section in ${sections})`,
      arrangement === 'video'
        ? `    return [1 + t % 2 if t < pairs - (${temporal}) else 0 for t in range(pairs)]`
        : arrangement === 'contiguous'
          ? `    return [0] * ${sections === undefined ? '(pairs - rows - columns)' : 'time'} + [1] * rows + [2] * columns`
          : '    return [t % 3 if t < 3 * (0, rows, columns)[t % 3] else 0 for t in range(pairs)]',
    ),
    lines(
      'def angles(positions, width):',
      '    """By how much each pair is rotated, at positions (tokens, 3) or, in a text, (tokens,)."""',
      `    w = frequencies(${rotaryWidth ?? 'width'})`,
      '    coordinates = np.asarray(positions, dtype=np.float64).reshape(len(positions), -1)',
      '    if coordinates.shape[1] == 3:',
      '        coordinates = coordinates[:, axis_of_pair(len(w))]',
      '    return coordinates * w',
    ),
    rotation({
      layout: param('layout') as 'interleaved' | 'half_split',
      doc: 'Multimodal RoPE (Wang et al. 2024, section 2.1) of queries or keys x (heads, positions, width).',
      rotaryWidth,
      gain: factor === undefined ? undefined : { lines: [`    gain = ${factor}`], name: 'gain' },
    }),
  ]);
};
