// Tables without weights of exported programs, which are added to the embeddings.
import type { Known } from './pytorch-encodings.ts';

/** The position itself, from 0 or 1. */
const start = (param: (name: string) => string) => `(positions + ${param('start')})`;

const atInput = 'x = x + table(positions).to(x.device)';

export const tableEncodings: { readonly [id: string]: Known } = {
  index: {
    params: { start: 0 },
    text: (param) => ({
      code: `def table(positions):  # (tokens) -> (tokens, 1)
    """The position, in every channel."""
    return ${start(param)}.float()[:, None]


`,
      atInput,
    }),
  },

  normalised_index: {
    params: { convention: 'over_n_from_one', range: 'unit' },
    choices: { convention: ['over_n_from_one', 'over_n', 'linspace'], range: ['unit', 'symmetric'] },
    text: (param) => {
      const parts = {
        '"over_n_from_one"': '(positions + 1) / LENGTH',
        '"over_n"': 'positions / LENGTH',
        '"linspace"': 'positions / max(LENGTH - 1, 1)',
      };
      const part = parts[param('convention') as keyof typeof parts];
      return {
        code: `def table(positions):  # (tokens) -> (tokens, 1)
    """The position as a part of the whole text, in every channel."""
    return (${param('range') === '"symmetric"' ? `2 * ${part} - 1` : part}).float()[:, None]


`,
        atInput,
      };
    },
  },

  sine: {
    params: { start: 0 },
    text: (param) => ({
      code: `def table(positions):  # (tokens) -> (tokens, 1)
    """One sine of the position, in every channel."""
    return ${start(param)}.sin().float()[:, None]


`,
      atInput,
    }),
  },

  sin_cos: {
    params: { start: 0 },
    text: (param) => ({
      code: `def table(positions):  # (tokens) -> (tokens, WIDTH)
    """The position as a point on a circle, in the first two channels."""
    point = torch.stack((${start(param)}.sin(), ${start(param)}.cos()), 1)
    return F.pad(point, (0, WIDTH - 2)).float()


`,
      atInput,
    }),
  },

  multi_frequency: {
    params: { start: 0 },
    text: (param) => ({
      code: `def table(positions):  # (tokens) -> (tokens, WIDTH)
    """Sines and cosines of the position divided by 1, 2, 3 ..."""
    angles = ${start(param)}[:, None] / torch.arange(1, WIDTH // 2 + 1, dtype=torch.float64)
    return torch.stack((angles.sin(), angles.cos()), -1).flatten(1).float()


`,
      atInput,
    }),
  },

  binary: {
    params: { order: 'msb_first' },
    choices: { order: ['msb_first', 'lsb_first'] },
    text: (param) => ({
      code: `def table(positions):  # (tokens) -> (tokens, WIDTH)
    """The position as a binary number, one bit a channel."""
    bits = (positions.long()[:, None] >> torch.arange(WIDTH).clamp(max=62)) & 1
    return ${param('order') === '"msb_first"' ? 'bits.flip(1)' : 'bits'}.float()


`,
      atInput,
    }),
  },
};
