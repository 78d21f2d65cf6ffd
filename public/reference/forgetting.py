"""Forgetting attention (Lin et al. 2025, arXiv 2503.02130): scores lose what the tokens after the key forget."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, softplus
from rope import inverse_frequencies, rotate_pairs


def decay_bias(log_gates, queries):
    """Sums of log_gates (heads, tokens) after each key up to each of the `queries` last tokens."""
    sums = np.cumsum(log_gates, axis=-1)
    return np.minimum(sums[:, -queries:, None] - sums[:, None, :], 0)


@dataclass
class Forgetting(Encoding):
    rotation: str = 'none'  # or 'rope'
    base: float = 10000
    layout: str = 'interleaved'  # or 'half_split'
    gate_weight: Optional[np.ndarray] = None  # (heads, dim), for token_tensors
    gate_bias: Optional[np.ndarray] = None  # (heads,)
    init_bias: float = 0

    def rotary_angles(self, positions, dim):
        return np.asarray(positions, float)[:, None] * inverse_frequencies(self.base, dim)

    def apply_rotary(self, x, positions, role='query'):
        return x if self.rotation == 'none' else rotate_pairs(x, self.rotary_angles(positions, x.shape[-1]), self.layout)

    def content_bias(self, q, k, query_positions, key_positions, scale, log_gates):
        return decay_bias(log_gates, q.shape[1])

    def token_tensors(self, x, heads):
        bias = np.full(heads, float(self.init_bias)) if self.gate_bias is None else self.gate_bias
        return {'log_gates': -softplus(-(self.gate_weight @ x.T + bias[:, None]))}
