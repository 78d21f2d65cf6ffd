"""Encodings with trained parameters in PyTorch, as transformer.py has them; those without are the references themselves.

Each has the parameters of its reference as `self.reference`. q, k, v are (items, heads, tokens, head_dim), positions (tokens,) of
float64 on the CPU; a bias is (heads, tokens, tokens) or one per item.
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from rope import inverse_frequencies
from t5 import t5_bucket


def normal(*shape, std=1.0):
    return nn.Parameter(std * torch.randn(shape))


def uniform(*shape, low=0.0, high=1.0):
    return nn.Parameter(low + (high - low) * torch.rand(shape))


def distance_of(positions):
    """query - key."""
    return positions[:, None] - positions


def bounded(number, largest=None):
    """The number within its bounds (KERPLE's authors), with the slope of one that is."""
    return number + (number.clamp(0.01, largest) - number).detach()


class TorchEncoding(nn.Module):
    """Enters nowhere unless its reference, which has no trained parameters, does."""

    def __init__(self, reference, config):
        super().__init__()
        self.reference, self.heads, self.head_dim = reference, config.heads, config.embed_dim // config.heads
        self.is_grid = (config.task, config.encoding['id']) == ('geometry_2d', 'sinusoidal_grid')

    def layer_parameters(self, config):
        """What each layer has of it, by name."""
        return {}

    def position_table(self, positions, dim):
        places = positions.numpy()
        if self.is_grid:  # row and column of each token
            places = np.stack(np.divmod(places, 8), axis=1)
        return torch.from_numpy(self.reference.position_table(places, dim)).float()

    def rotate(self, x, positions, role):
        """The reference is linear in x, so that its rotations of the unit vectors are a matrix per position."""
        unit = np.broadcast_to(np.eye(self.head_dim)[:, None], (self.head_dim, len(positions), self.head_dim))
        rotated = self.reference.apply_rotary(unit, positions.numpy(), role)
        if rotated is unit:
            return x
        return torch.einsum('nhti,ito->nhto', x, torch.from_numpy(rotated).float().to(x.device))

    def products(self, layer, x, q, k):
        return q @ k.transpose(-2, -1)

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        """The scores, scale * q.k, with what the encoding makes of them."""
        bias = torch.from_numpy(np.ascontiguousarray(self.reference.attention_bias(self.heads, positions.numpy(), positions.numpy())))
        return scores + bias.float().to(scores.device)

    def value_bias(self, weights, positions):
        return 0.0


class Learned(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        self.table = normal(reference.max_length, config.embed_dim, std=config.table_init_std)

    def position_table(self, positions, dim):
        table = self.table * dim**-0.5 if self.reference.scaled else self.table
        return table[positions.long().to(table.device) + self.reference.row_offset]


class T5(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        self.table = normal(reference.num_buckets, config.heads, std=0.02)

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        own = self.reference
        buckets = t5_bucket(-distance_of(positions).numpy(), own.num_buckets, own.max_distance, own.bidirectional)
        return scores + own.multiplier * self.table[torch.from_numpy(buckets).to(scores.device)].permute(2, 0, 1)


class RelativeBias(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        rows = 2 * reference.max_length - 1
        self.b = normal(config.heads, rows, std=0.02) if reference.per_head else normal(rows, std=0.02)

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        most = self.reference.max_length - 1
        back = distance_of(positions).long().to(scores.device)
        if self.reference.beyond == 'clip':
            back = back.clamp(-most, most)
        bias = self.b[..., back + most]
        return scores + (scale * bias if self.reference.placement == 'inside' else bias)


class Kerple(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        is_log = reference.form == 'log'
        self.r1, self.r2 = uniform(config.heads, high=2.0 if is_log else 1.0), uniform(config.heads, high=1.0 if is_log else 2.0)
        if reference.form == 'weighted_power':
            self.wei_a, self.wei_p = uniform(config.heads), uniform(config.heads, high=2.0)

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        back = distance_of(positions).float().to(scores.device)
        distance = back.clamp(min=0) if self.reference.right == 'zero' else back.abs()

        def power(exponents):  # 0 at distance 0, and its slope too
            raised = distance.clamp(min=1e-30) ** bounded(exponents, 2.0)[:, None, None]
            return torch.where(distance > 0, raised, torch.zeros_like(raised))

        r1 = bounded(self.r1)[:, None, None]
        if self.reference.form == 'log':
            return scores - r1 * torch.log1p(bounded(self.r2)[:, None, None] * distance)
        if self.reference.form == 'weighted_power':
            scores = scores * torch.exp(-bounded(self.wei_a)[:, None, None] * power(self.wei_p))
        return scores - r1 * power(self.r2)


class Fire(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        units = config.encoding.get('mlp_width', 32)
        root = units**-0.5
        self.w1, self.b1 = uniform(units, 1, low=-1.0), uniform(units, low=-1.0)
        self.w2, self.b2 = uniform(config.heads, units, low=-root, high=root), uniform(config.heads, low=-root, high=root)
        self.c, self.l_multiplier = nn.Parameter(torch.tensor([float(reference.init_c)])), nn.Parameter(torch.ones(1))

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        positions = positions.float().to(scores.device)

        def phi(numbers):
            return torch.log1p((self.c * numbers).abs())

        limit = (self.l_multiplier * self.reference.init_l).abs()
        unit = phi(torch.maximum(positions, limit))[:, None] + self.reference.eps
        hidden = F.relu(F.linear((phi(distance_of(positions)) / unit)[..., None], self.w1, self.b1))
        return scores + F.linear(hidden, self.w2, self.b2).permute(2, 0, 1)


class Shaw(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        shape = ((config.heads,) if reference.per_head else ()) + (2 * reference.clip + 1, self.head_dim)
        self.table_k = normal(*shape, std=0.02)
        if reference.values:
            self.table_v = normal(*shape, std=0.02)
        self.table_dims = 'hijd' if reference.per_head else 'ijd'

    def rows(self, positions):
        return torch.from_numpy(self.reference.rows(positions.numpy(), positions.numpy())).to(self.table_k.device)

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        vectors = self.table_k[..., self.rows(positions), :]
        return scores + scale * torch.einsum(f'nhid,{self.table_dims}->nhij', q, vectors)

    def value_bias(self, weights, positions):
        if not self.reference.values:
            return 0.0
        return torch.einsum(f'nhij,{self.table_dims}->nhid', weights, self.table_v[..., self.rows(positions), :])


class TransformerXl(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        self.dim = config.embed_dim + config.embed_dim % 2
        self.u, self.v = normal(config.heads, self.head_dim, std=0.02), normal(config.heads, self.head_dim, std=0.02)
        self.w_r = normal(config.embed_dim, self.dim, std=self.dim**-0.5)

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        back, most = distance_of(positions), self.reference.clamp_len
        if most > 0:
            back = back.clamp(-most, most)
        angles = back[..., None] * torch.from_numpy(inverse_frequencies(self.reference.base, self.dim))
        if self.reference.layout == 'concatenated':
            waves = torch.cat((angles.sin(), angles.cos()), -1)
        else:
            waves = torch.stack((angles.sin(), angles.cos()), -1).flatten(-2)
        relative = (waves.float().to(q.device) @ self.w_r.T).unflatten(-1, (self.heads, self.head_dim))  # (tokens, tokens, heads, head_dim)
        by_distance = torch.einsum('nhid,ijhd->nhij', q + self.v[:, None], relative)
        return scores + scale * (by_distance + torch.einsum('hd,nhjd->nhj', self.u, k)[:, :, None])


class Deberta(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        rows = 2 * (reference.position_buckets or reference.max_relative_positions)
        if reference.terms != 'p2c':
            self.pos_key = normal(config.heads, rows, self.head_dim, std=0.02)
        if reference.terms != 'c2p':
            self.pos_query = normal(config.heads, rows, self.head_dim, std=0.02)

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        rows = torch.from_numpy(self.reference.rows(positions.numpy(), positions.numpy())).to(q.device)
        if self.reference.terms != 'p2c':
            scores = scores + scale * torch.einsum('nhid,hijd->nhij', q, self.pos_key[:, rows])
        if self.reference.terms != 'c2p':
            scores = scores + scale * torch.einsum('nhjd,hijd->nhij', k, self.pos_query[:, rows])
        return scores


class Cope(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        self.pos_emb = normal(self.head_dim, reference.npos, std=0.02)

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        is_before = (distance_of(positions) >= 0).to(q.device)
        counts = (scores.sigmoid() * is_before).flip(-1).cumsum(-1).flip(-1).clamp(max=self.reference.npos - 1)
        low, high = counts.detach().floor().long(), counts.detach().ceil().long()
        products = (scale if self.reference.placement == 'inside' else 1.0) * (q @ self.pos_emb)
        share = counts - low
        return scores + products.gather(-1, low) * (1 - share) + products.gather(-1, high) * share


class GrapeA(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        from alibi import alibi_slopes

        self.omega = nn.Parameter(torch.from_numpy(alibi_slopes(config.heads)).float())
        if reference.gate != 'query':
            self.u = normal(config.heads, self.head_dim, std=self.head_dim**-0.5)
        if reference.gate != 'key':
            self.r = normal(config.heads, self.head_dim, std=self.head_dim**-0.5)

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        factor, gate = self.reference.gate_scale or self.head_dim**-0.5, 0.0
        if self.reference.gate != 'query':
            gate = gate + F.softplus(factor * torch.einsum('nhjd,hd->nhj', k, self.u))[:, :, None]
        if self.reference.gate != 'key':
            gate = gate + F.softplus(factor * torch.einsum('nhid,hd->nhi', q, self.r))[..., None]
        distance = distance_of(positions).clamp(min=0).float().to(q.device)
        return scores - distance * self.omega[:, None, None] * gate


class Pope(TorchEncoding):
    def __init__(self, reference, config):
        super().__init__(reference, config)
        self.phase = uniform(config.heads, self.head_dim, low=-2 * np.pi, high=0.0)

    def rotate(self, x, positions, role):
        dim = x.shape[-1]
        angles = positions[:, None] * self.reference.base ** (-torch.arange(dim, dtype=torch.float64) / dim)
        angles = angles.to(x.device)
        if role == 'query':
            inside = self.phase + (self.phase.clamp(-2 * np.pi, 0) - self.phase).detach()
            angles = angles - inside[:, None].double()
        lengths = F.softplus(x)
        return torch.cat((lengths * angles.cos().float(), lengths * angles.sin().float()), -1)


class Forgetting(TorchEncoding):
    def layer_parameters(self, config):
        bias = nn.Parameter(torch.full((config.heads,), float(self.reference.init_bias)))
        return {'gate_weight': normal(config.heads, config.embed_dim, std=config.embed_dim**-0.5), 'gate_bias': bias}

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        gates = F.logsigmoid(F.linear(x, layer.gate_weight, layer.gate_bias))
        sums = gates.double().cumsum(1).transpose(1, 2)  # (items, heads, tokens)
        return scores + (sums[..., :, None] - sums[..., None, :]).float()


class Path(TorchEncoding):
    def layer_parameters(self, config):
        dim, rank = config.embed_dim, self.reference.rank
        return {
            'w_down': normal(rank, dim, std=dim**-0.5),
            'w_up': normal(dim, rank, std=rank**-0.5),
            'w_conv': normal(dim, 3, std=3**-0.5),
            'beta_weight': normal(config.heads, dim, std=dim**-0.5),
            'beta_bias': nn.Parameter(torch.zeros(config.heads)),
        }

    def products(self, layer, x, q, k):
        """Section 3: q_i . H_i ... H_{j+1} k_j, with H_t = I - beta_t w_t w_t^T, by one triangular system."""
        channels = F.linear(F.linear(x, layer.w_down), layer.w_up).transpose(1, 2)  # (items, dim, tokens)
        w = F.silu(F.conv1d(F.pad(channels, (2, 0)), layer.w_conv[:, None], groups=channels.shape[1]))
        w = w.unflatten(1, (self.heads, self.head_dim)).transpose(2, 3)
        beta = 2 * F.linear(x, layer.beta_weight, layer.beta_bias).sigmoid().transpose(1, 2)
        if self.reference.normalise_w:
            w = w * torch.rsqrt(w.square().sum(-1, keepdim=True) + self.reference.eps)
        strong = beta[..., None] * w
        inner = (strong @ w.transpose(-2, -1)).tril(-1) + torch.eye(w.shape[-2], device=w.device)
        met = torch.linalg.solve_triangular(inner, (strong @ k.transpose(-2, -1)).tril(-1), upper=False, unitriangular=True)
        return q @ k.transpose(-2, -1) - (q @ w.transpose(-2, -1)).tril() @ met

    def change_scores(self, layer, x, q, k, scores, positions, scale):
        return scores


LEARNED = {
    'learned': Learned, 't5': T5, 'relative_bias': RelativeBias, 'kerple': Kerple, 'fire': Fire, 'shaw': Shaw,
    'transformer_xl': TransformerXl, 'deberta': Deberta, 'cope': Cope, 'grape_a': GrapeA, 'pope': Pope,
    'forgetting': Forgetting, 'path': Path,
}  # fmt: skip
"""The encodings whose parameters are trained here; the trainer of Phasor has these, too, which are not written in PyTorch yet:"""
MISSING = ('dape', 'fourier', 'liere', 'rope_fourier', 'rope_mixed', 'rope_selective')
