// Encodings of exported programs that depend on queries, keys or values.
import type { Known } from './pytorch-encodings.ts';

export const contentEncodings: { readonly [id: string]: Known } = {
  shaw: {
    params: { clip: 16, direction: 'right_positive', values: true, per_head: false },
    choices: { direction: ['right_positive', 'left_positive'] },
    ignored: ['seed', 'init_std', 'table_k', 'table_v'],
    text: (param) => {
      const [perHead, values] = [param('per_head') === 'True', param('values') === 'True'];
      const table = `nn.Parameter(0.02 * torch.randn(${perHead ? 'HEADS, ' : ''}2 * self.CLIP + 1, HEAD_WIDTH))`;
      const [letters, rows] = perHead ? ['hijd', '[:, rows]'] : ['ijd', '[rows]'];
      return {
        code: `class Encoding(nn.Module):
    """Shaw et al. 2018: a trained vector for each clipped distance, added to keys${values ? ' and to values' : ''}."""

    CLIP = ${param('clip')}

    def __init__(self):
        super().__init__()
        self.table_k = ${table}
${values ? `        self.table_v = ${table}\n` : ''}
    def rows(self, positions):  # (tokens, tokens)
        distance = ${param('direction') === '"right_positive"' ? 'positions[None, :] - positions[:, None]' : 'positions[:, None] - positions[None, :]'}
        return distance.clamp(-self.CLIP, self.CLIP).long().to(self.table_k.device) + self.CLIP

    def scores(self, q, positions):
        rows = self.rows(positions)
        return SCALE * torch.einsum("nhid,${letters}->nhij", q, self.table_k${rows})
${
  values
    ? `
    def values(self, weights, positions):
        rows = self.rows(positions)
        return torch.einsum("nhij,${letters}->nhid", weights, self.table_v${rows})
`
    : ''
}

`,
        atScores: ' + encoding.scores(q, positions)',
        ...(values ? { atValues: 'encoding.values(weights, positions)' } : {}),
      };
    },
  },

  transformer_xl: {
    params: { base: 10000, layout: 'concatenated', clamp_len: 0 },
    choices: { layout: ['concatenated', 'interleaved'] },
    ignored: ['seed', 'u', 'v', 'w_r'],
    text: (param) => ({
      code: `class Encoding(nn.Module):
    """Dai et al. 2019: queries meet sinusoids of the distance, too, and two trained vectors meet content and distance alone."""

    WAVES = WIDTH + WIDTH % 2

    def __init__(self):
        super().__init__()
        self.u, self.v = nn.Parameter(0.02 * torch.randn(HEADS, HEAD_WIDTH)), nn.Parameter(0.02 * torch.randn(HEADS, HEAD_WIDTH))
        self.w_r = nn.Parameter(self.WAVES**-0.5 * torch.randn(WIDTH, self.WAVES))

    def scores(self, q, k, positions):
        back = positions[:, None] - positions[None, :]  # query - key
        ${param('clamp_len') === '0' ? '' : `back = back.clamp(-${param('clamp_len')}, ${param('clamp_len')})\n        `}frequencies = ${param('base')} ** (-2 * torch.arange(self.WAVES // 2, dtype=torch.float64) / self.WAVES)
        angles = back[..., None] * frequencies
        ${
          param('layout') === '"concatenated"'
            ? 'waves = torch.cat((angles.sin(), angles.cos()), -1)'
            : 'waves = torch.stack((angles.sin(), angles.cos()), -1).flatten(-2)'
        }
        relative = (waves.float().to(q.device) @ self.w_r.T).unflatten(-1, (HEADS, HEAD_WIDTH))  # (tokens, tokens, HEADS, HEAD_WIDTH)
        by_distance = torch.einsum("nhid,ijhd->nhij", q + self.v[:, None], relative)
        return SCALE * (by_distance + torch.einsum("hd,nhjd->nhj", self.u, k)[:, :, None])


`,
      atScores: ' + encoding.scores(q, k, positions)',
    }),
  },

  deberta: {
    params: { terms: 'c2p_p2c', position_buckets: 256, max_relative_positions: 512 },
    choices: { terms: ['c2p_p2c', 'c2p', 'p2c'] },
    ignored: ['seed', 'init_std', 'pos_key', 'pos_query'],
    text: (param) => {
      const terms = param('terms').slice(1, -1).split('_');
      const buckets = Number(param('position_buckets'));
      const table = 'nn.Parameter(0.02 * torch.randn(HEADS, 2 * self.SPAN, HEAD_WIDTH))';
      return {
        code: `class Encoding(nn.Module):
    """DeBERTa (He et al. 2020): content meets position, with tables that are projected already."""

    SPAN, FURTHEST = ${buckets > 0 ? buckets : param('max_relative_positions')}, ${param('max_relative_positions')}

    def __init__(self):
        super().__init__()
${terms.includes('c2p') ? `        self.pos_key = ${table}\n` : ''}${terms.includes('p2c') ? `        self.pos_query = ${table}\n` : ''}${
  buckets > 0
    ? `
    def bucket(self, distance):
        middle = self.SPAN // 2
        size = abs(distance)
        if size <= middle:
            return distance
        # The smallest k with (size / middle) ** (middle - 1) <= ((FURTHEST - 1) / middle) ** k, in whole numbers, as logarithms err at edges.
        k = 0
        while middle + k < self.SPAN and size ** (middle - 1) * middle**k > (self.FURTHEST - 1) ** k * middle ** (middle - 1):
            k += 1
        return (middle + k) * (1 if distance > 0 else -1)
`
    : ''
}
    def rows(self, positions):  # (tokens, tokens)
        where = positions.long().tolist()
        distances = {query - key for query in where for key in where}
        of = {distance: ${buckets > 0 ? 'self.bucket(distance)' : 'distance'} for distance in distances}
        return torch.tensor([[min(max(of[query - key] + self.SPAN, 0), 2 * self.SPAN - 1) for key in where] for query in where])

    def scores(self, q, k, positions):
        rows = self.rows(positions).to(q.device)
        return SCALE * (${terms
          .map((term) =>
            term === 'c2p'
              ? 'torch.einsum("nhid,hijd->nhij", q, self.pos_key[:, rows])'
              : 'torch.einsum("nhjd,hijd->nhij", k, self.pos_query[:, rows])',
          )
          .join(' + ')})


`,
        atScores: ' + encoding.scores(q, k, positions)',
        scale: `(${terms.length + 1} * HEAD_WIDTH) ** -0.5`,
      };
    },
  },

  cope: {
    params: { npos: 64, placement: 'outside' },
    choices: { placement: ['outside', 'inside'] },
    ignored: ['seed', 'init_std', 'pos_emb'],
    text: (param) => ({
      code: `class Encoding(nn.Module):
    """CoPE (Golovneva et al. 2024): a position is the number of tokens, from a key to the query, that the query finds to matter."""

    LAST = ${param('npos')} - 1

    def __init__(self):
        super().__init__()
        self.pos_emb = nn.Parameter(0.02 * torch.randn(HEAD_WIDTH, self.LAST + 1))

    def scores(self, q, scores, positions):
        seen = (positions[None, :] <= positions[:, None]).to(q.device)
        counts = (scores.sigmoid() * seen).flip(-1).cumsum(-1).flip(-1).clamp(max=self.LAST)
        low, high = counts.detach().floor().long(), counts.detach().ceil().long()
        products = ${param('placement') === '"inside"' ? 'SCALE * ' : ''}(q @ self.pos_emb)
        share = counts - low
        return products.gather(-1, low) * (1 - share) + products.gather(-1, high) * share


`,
      atContent: 'scores = scores + encoding.scores(q, scores, positions)',
    }),
  },
};
