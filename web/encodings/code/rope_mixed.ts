import { grid } from './parts/grid.ts';
import { lines, program } from './parts/program.ts';
import { rotation } from './parts/rotation.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const trained = given('frequencies');
  return program([
    grid(param('columns')),
    trained === undefined
      ? lines(
          'def frequencies(heads, width):',
          '    """fx and fy (heads, pairs) before training: a direction for each head, the second half of the pairs across it."""',
          `    magnitudes = np.tile(${param('base')} ** (-4.0 * np.arange(width // 4) / width), (2,))`,
          '    quarter_turns = np.floor(np.arange(width // 2) / (width // 4))',
          `    directions = 2 * math.pi * random(${param('seed')}, heads)[:, None] + math.pi / 2 * quarter_turns`,
          '    fx, fy = magnitudes * np.cos(directions), magnitudes * np.sin(directions)',
          '    return fx.astype(np.float32), fy.astype(np.float32)',
        )
      : lines(
          'def frequencies(heads, width):',
          '    """The trained fx and fy (heads, pairs)."""',
          `    fx, fy = ${trained}`,
          '    return fx[:heads], fy[:heads]',
        ),
    lines(
      'def head_angles(positions, heads, width):',
      '    """By how much each pair of each head is rotated: x fx + y fy."""',
      '    row, column = grid(positions)',
      '    fx, fy = frequencies(heads, width)',
      '    return column[:, None] * fx[:, None] + row[:, None] * fy[:, None]',
    ),
    lines('def angles(positions, width):', '    """Those of the first head."""', '    return head_angles(positions, 1, width)[0]'),
    rotation({
      layout: 'interleaved',
      doc: 'RoPE-Mixed (Heo et al. 2024, section 3.2) of the queries or keys of patches, x (heads, patches, width).',
      angles: 'head_angles(positions, x.shape[0], width)',
    }),
  ]);
};
