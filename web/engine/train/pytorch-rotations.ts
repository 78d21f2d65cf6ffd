// Encodings of exported programs that rotate queries and keys.
import type { Known } from './pytorch-encodings.ts';

/** The end of a function that turns the pairs of channels of x by `cosine` and `sine`. */
const turned = {
  interleaved: `a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cosine - b * sine, a * sine + b * cosine), -1).flatten(-2)`,
  half_split: `a, b = x.chunk(2, -1)
    return torch.cat((a * cosine - b * sine, a * sine + b * cosine), -1)`,
};

type Layout = keyof typeof turned;
const layouts = ['interleaved', 'half_split'];

export const rotations: { readonly [id: string]: Known } = {
  rope: {
    params: { base: 10000, layout: 'interleaved', rotary_fraction: 1, kept_fraction: 1, scaling: 'none', factor: 4 },
    choices: { layout: layouts, scaling: ['none', 'linear'] },
    text: (param) => {
      const [partial, kept] = [param('rotary_fraction') !== '1', param('kept_fraction') !== '1'];
      const width = partial ? `int(HEAD_WIDTH * ${param('rotary_fraction')})` : 'HEAD_WIDTH';
      const lines = turned[param('layout').slice(1, -1) as Layout];
      return {
        code: `def rotate(x, positions):  # (items, heads, tokens, HEAD_WIDTH), (tokens)
    """Su et al. 2021, equation 34: every pair of channels turns by its frequency times the position."""
    width = ${width}
    frequencies = ${param('base')} ** (-2 * torch.arange(width // 2, dtype=torch.float64) / width)
${param('scaling') === '"linear"' ? `    frequencies = frequencies / ${param('factor')}\n` : ''}${
  kept ? `    frequencies[int(${param('kept_fraction')} * (width // 2)) :] = 0  # the slowest pairs do not rotate\n` : ''
}    angles = positions[:, None] * frequencies
    cosine, sine = angles.cos().float().to(x.device), angles.sin().float().to(x.device)
${partial ? '    x, rest = x[..., :width], x[..., width:]\n' : ''}    ${partial ? lines.replace('return ', 'return torch.cat((').concat(', rest), -1)') : lines}


`,
        atQueriesAndKeys: 'q, k = rotate(q, positions), rotate(k, positions)',
      };
    },
  },

  xpos: {
    params: { base: 10000, layout: 'interleaved', scale_base: 512, gamma: 0.4, length: 0, center: 'torchscale' },
    choices: { layout: layouts, center: ['torchscale', 'lucidrains'] },
    text: (param) => ({
      code: `def rotate(x, positions, sign):  # (items, heads, tokens, HEAD_WIDTH), (tokens)
    """Sun et al. 2022: RoPE whose pairs grow with the position in queries (sign 1) as much as they shrink in keys (-1)."""
    pair = torch.arange(HEAD_WIDTH // 2, dtype=torch.float64)
    zeta = (2 * pair + ${param('gamma')} * HEAD_WIDTH) / ((1 + ${param('gamma')}) * HEAD_WIDTH)
    middle = ${param('center') === '"torchscale"' ? `math.ceil(${param('length')} / 2)` : `${param('length')} // 2`}
    growth = zeta ** (sign * (positions[:, None] - middle) / ${param('scale_base')})
    angles = positions[:, None] * ${param('base')} ** (-2 * pair / HEAD_WIDTH)
    cosine, sine = (growth * angles.cos()).float().to(x.device), (growth * angles.sin()).float().to(x.device)
    ${turned[param('layout').slice(1, -1) as Layout]}


`,
      atQueriesAndKeys: 'q, k = rotate(q, positions, 1), rotate(k, positions, -1)',
    }),
  },
};
