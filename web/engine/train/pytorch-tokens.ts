// Encodings of exported programs for which each layer makes something of its own input.
import type { Known } from './pytorch-encodings.ts';
import { rotations } from './pytorch-rotations.ts';

export const tokenEncodings: { readonly [id: string]: Known } = {
  forgetting: {
    params: { rotation: 'none', base: 10000, layout: 'interleaved', init_bias: 0 },
    choices: { rotation: ['none', 'rope'], layout: ['interleaved', 'half_split'] },
    ignored: ['seed', 'gate_weight', 'gate_bias'],
    text: (param, spec) => {
      const rope = rotations.rope as Known;
      const own = ['base', 'layout'];
      const ofRope = (name: string) => (own.includes(name) ? param(name) : JSON.stringify(rope.params[name]));
      return {
        ...(param('rotation') === '"rope"' ? rope.text(ofRope, spec) : { code: '' }),
        ofLayer: `        self.gate_weight = nn.Parameter(WIDTH**-0.5 * torch.randn(HEADS, WIDTH))
        self.gate_bias = nn.Parameter(torch.full((HEADS,), float(${param('init_bias')})))`,
        atContent: `# Lin et al. 2025: a score loses what the tokens after the key have forgotten
        kept = F.logsigmoid(F.linear(x, self.gate_weight, self.gate_bias)).double().cumsum(1).transpose(1, 2)  # (items, HEADS, tokens)
        scores = scores + (kept[..., :, None] - kept[..., None, :]).float()`,
      };
    },
  },

  path: {
    params: { normalise_w: true, eps: 1e-6, rank: 32, gate_scaled: true },
    ignored: ['seed', 'w_down', 'w_up', 'w_conv', 'beta_weight', 'beta_bias'],
    text: (param) => ({
      code: `def along_path(q, k, w, beta):  # (items, HEADS, tokens, HEAD_WIDTH) three times, (items, HEADS, tokens)
    """Yang et al. 2025 (PaTH), section 3: q_i . H_i ... H_{j+1} k_j, with H_t = I - beta_t w_t w_t^T."""
${param('normalise_w') === 'True' ? `    w = w * torch.rsqrt(w.square().sum(-1, keepdim=True) + ${param('eps')})\n` : ''}    strong = beta[..., None] * w
    inner = (strong @ w.transpose(-2, -1)).tril(-1) + torch.eye(w.shape[-2], device=w.device)
    met = torch.linalg.solve_triangular(inner, (strong @ k.transpose(-2, -1)).tril(-1), upper=False, unitriangular=True)
    return q @ k.transpose(-2, -1) - (q @ w.transpose(-2, -1)).tril() @ met  # (items, HEADS, tokens, tokens)


def reflections(layer, x):  # (items, tokens, WIDTH) -> w and beta of along_path
    high = F.linear(F.linear(x, layer.w_down), layer.w_up).transpose(1, 2)  # (items, WIDTH, tokens)
    w = F.silu(F.conv1d(F.pad(high, (2, 0)), layer.w_conv[:, None], groups=WIDTH))
    return w.unflatten(1, (HEADS, HEAD_WIDTH)).transpose(2, 3), 2 * F.linear(x, layer.beta_weight, layer.beta_bias).sigmoid().transpose(1, 2)


`,
      ofLayer: `        self.w_down = nn.Parameter(WIDTH**-0.5 * torch.randn(${param('rank')}, WIDTH))
        self.w_up = nn.Parameter(${param('rank')}**-0.5 * torch.randn(WIDTH, ${param('rank')}))
        self.w_conv = nn.Parameter(3**-0.5 * torch.randn(WIDTH, 3))
        self.beta_weight, self.beta_bias = nn.Parameter(WIDTH**-0.5 * torch.randn(HEADS, WIDTH)), nn.Parameter(torch.zeros(HEADS))`,
      atProducts: 'along_path(q, k, *reflections(self, x))',
    }),
  },
};
