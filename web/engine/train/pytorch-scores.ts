// Encodings of exported programs that add a bias to scores, whatever queries and keys are.
import type { Known } from './pytorch-encodings.ts';

/** cpp/src/encodings/kerple.cpp keeps numbers within bounds, and has the gradient of the number at the bound. */
const bounded = `    @staticmethod
    def bounded(number, largest=math.inf):
        """The number within its bounds (the authors' code), with the slope of one that is."""
        return number + (number.clamp(0.01, largest) - number).detach()
`;

export const scoreEncodings: { readonly [id: string]: Known } = {
  proximal: {
    params: {},
    text: () => ({
      code: `def proximal(positions):  # (tokens) -> (tokens, tokens)
    """Tensor2tensor's attention_bias_proximal: minus the logarithm of one plus the distance, in every head."""
    return -torch.log1p((positions[None, :] - positions[:, None]).abs()).float()


`,
      atScores: ' + proximal(positions).to(x.device)',
    }),
  },

  sandwich: {
    params: { db: 128, base: 10000, index: 'from_zero' },
    choices: { index: ['from_zero', 'from_one'] },
    text: (param) => ({
      code: `def sandwich(positions):  # (tokens) -> (HEADS, tokens, tokens)
    """Chi et al. 2022: the inner product of two sinusoids, 0 at the query itself, less steep with each head."""
    width, first = ${param('db')}, ${param('index') === '"from_one"' ? 1 : 0}
    frequencies = ${param('base')} ** (-2 * (first + torch.arange(width // 2, dtype=torch.float64)) / width)
    distance = positions[None, :] - positions[:, None]
    sums = ((distance[..., None] * frequencies).cos() - 1).sum(-1)
    factors = HEADS / (8 * torch.arange(1, HEADS + 1, dtype=torch.float64))
    return (factors[:, None, None] * sums).float()


`,
      atScores: ' + sandwich(positions).to(x.device)',
    }),
  },

  relative_bias: {
    params: { max_length: 2048, placement: 'outside', beyond: 'refuse', per_head: false },
    choices: { placement: ['outside', 'inside'], beyond: ['refuse', 'clip'] },
    ignored: ['seed', 'init_std', 'b'],
    text: (param) => ({
      code: `class Encoding(nn.Module):
    """Liu et al. 2021 in one dimension: a trained bias for each signed distance${param('per_head') === 'True' ? ' and head' : ''}."""

    LONGEST = ${param('max_length')}

    def __init__(self):
        super().__init__()
        self.b = nn.Parameter(0.02 * torch.randn(${param('per_head') === 'True' ? 'HEADS, ' : ''}2 * self.LONGEST - 1))

    def forward(self, positions):  # (tokens) -> (${param('per_head') === 'True' ? 'HEADS, ' : ''}tokens, tokens)
        back = (positions[:, None] - positions[None, :]).long().to(self.b.device)  # query - key
        ${param('beyond') === '"clip"' ? 'back = back.clamp(1 - self.LONGEST, self.LONGEST - 1)\n        ' : ''}return self.b[..., back + self.LONGEST - 1]


`,
      atScores: param('placement') === '"inside"' ? ' + SCALE * encoding(positions)' : ' + encoding(positions)',
    }),
  },

  kerple: {
    params: { form: 'log', right: 'distance' },
    choices: { form: ['log', 'power', 'weighted_power'], right: ['distance', 'zero'] },
    ignored: ['seed', 'r1', 'r2', 'wei_a', 'wei_p'],
    text: (param) => {
      const [log, weighted] = [param('form') === '"log"', param('form') === '"weighted_power"'];
      return {
        code: `class Encoding(nn.Module):
    """Chi et al. 2022: minus ${log ? 'the logarithm' : 'a power'} of the distance, with numbers that each head learns."""

    def __init__(self):
        super().__init__()
        self.r1, self.r2 = nn.Parameter(${log ? '2 * ' : ''}torch.rand(HEADS)), nn.Parameter(${log ? '' : '2 * '}torch.rand(HEADS))
${weighted ? '        self.wei_a, self.wei_p = nn.Parameter(torch.rand(HEADS)), nn.Parameter(2 * torch.rand(HEADS))\n' : ''}
${bounded}
    def distance(self, positions):
        back = (positions[:, None] - positions[None, :]).float().to(self.r1.device)  # query - key
        return ${param('right') === '"zero"' ? 'back.clamp(min=0)' : 'back.abs()'}

${
  log
    ? ''
    : `    def power(self, positions, exponents):  # 0 at the query itself, and its slope too
        distance, exponents = self.distance(positions), self.bounded(exponents, 2.0)
        return torch.where(distance > 0, distance.clamp(min=1e-30) ** exponents[:, None, None], torch.zeros(()).to(distance.device))

`
}    def forward(self, positions):  # (tokens) -> (HEADS, tokens, tokens)
        r1 = self.bounded(self.r1)[:, None, None]
        ${
          log
            ? 'return -r1 * torch.log1p(self.bounded(self.r2)[:, None, None] * self.distance(positions))'
            : 'return -r1 * self.power(positions, self.r2)'
        }
${
  weighted
    ? `
    def weights(self, positions):  # of the scores
        return torch.exp(-self.bounded(self.wei_a)[:, None, None] * self.power(positions, self.wei_p))
`
    : ''
}

`,
        ...(weighted ? { atContent: 'scores = scores * encoding.weights(positions)' } : {}),
        atScores: ' + encoding(positions)',
      };
    },
  },

  fire: {
    params: { init_c: 0.1, init_l: 512, eps: 1e-6, mlp_width: 32 },
    ignored: ['seed', 'w1', 'b1', 'w2', 'b2', 'c', 'l_multiplier'],
    text: (param) => ({
      code: `class Encoding(nn.Module):
    """FIRE (Li et al. 2024): a small network of the distance, in units that grow with the position of the query."""

    UNITS = ${param('mlp_width')}

    def __init__(self):
        super().__init__()
        self.w1, self.b1 = nn.Parameter(2 * torch.rand(self.UNITS, 1) - 1), nn.Parameter(2 * torch.rand(self.UNITS) - 1)
        self.w2 = nn.Parameter(self.UNITS**-0.5 * (2 * torch.rand(HEADS, self.UNITS) - 1))
        self.b2 = nn.Parameter(self.UNITS**-0.5 * (2 * torch.rand(HEADS) - 1))
        self.c, self.l_multiplier = nn.Parameter(torch.tensor([float(${param('init_c')})])), nn.Parameter(torch.ones(1))

    def phi(self, x):
        return torch.log1p((self.c * x).abs())

    def forward(self, positions):  # (tokens) -> (HEADS, tokens, tokens)
        positions = positions.float().to(self.c.device)
        limit = (self.l_multiplier * ${param('init_l')}).abs()
        unit = self.phi(torch.maximum(positions, limit)) + ${param('eps')}  # of each query
        x = self.phi(positions[:, None] - positions[None, :]) / unit[:, None]
        hidden = F.relu(F.linear(x[..., None], self.w1, self.b1))
        return F.linear(hidden, self.w2, self.b2).permute(2, 0, 1)


`,
      atScores: ' + encoding(positions)',
    }),
  },
};
