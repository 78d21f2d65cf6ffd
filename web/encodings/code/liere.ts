import { streamOf } from './parts/drawn.ts';
import { grid } from './parts/grid.ts';
import { lines, program } from './parts/program.ts';
import type { EncodingSource } from './source.ts';

export const source: EncodingSource = (param, given) => {
  const [axes, block] = [Number(param('axes')), Number(param('block'))];
  const generators =
    given('generators') ?? `uniform(${streamOf(param('seed'), 0)}, (${axes}, heads, blocks, ${block}, ${block}), 0, ${param('spread')})`;
  return program([
    axes === 2 ? grid(param('columns')) : undefined,
    lines(
      'def exponential(a):',
      '    """e^a of matrices (..., n, n): a series for e^(a / 2^24) - 1, which is squared 24 times."""',
      '    small = a / 2**24',
      '    less_one = small + small @ small / 2 + small @ small @ small / 6',
      '    for _ in range(24):',
      '        less_one = 2 * less_one + less_one @ less_one',
      `    return np.eye(${block}) + less_one`,
    ),
    lines(
      "def rotate(x, positions, role='query'):",
      '    """LieRE (Ostmeier et al. 2024) of queries or keys x (heads, positions, width): every block of channels is rotated as a whole."""',
      '    heads, tokens, width = x.shape',
      `    blocks = width // ${block}`,
      axes === 2
        ? '    coordinates = grid(positions)'
        : axes === 1
          ? '    coordinates = [np.asarray(positions, dtype=np.float64).reshape(-1)]'
          : '    coordinates = list(np.asarray(positions, dtype=np.float64).swapaxes(0, 1))',
      `    generators = ${generators}`,
      '    upper = np.triu(generators, 1)',
      '    skew = upper - upper.swapaxes(-1, -2)  # (axes, heads, blocks, block, block)',
      `    sums = sum(skew[axis][:, None] * coordinates[axis][:, None, None, None] for axis in range(${axes}))`,
      '    turn = exponential(sums)  # (heads, positions, blocks, block, block)',
      '    content = np.asarray(x, dtype=np.float64)',
      `    parts = content[..., : ${block} * blocks].reshape(heads, tokens, blocks, ${block}, 1)`,
      `    turned = (turn @ parts).reshape(heads, tokens, ${block} * blocks)`,
      `    return np.concatenate([turned, content[..., ${block} * blocks :]], axis=-1).astype(x.dtype)`,
    ),
  ]);
};
