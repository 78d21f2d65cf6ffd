"""Selective RoPE: angles are running sums of steps that each token makes, times a gate."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, sigmoid
from path import low_rank_convolution
from rope import rotate_pairs


@dataclass
class RopeSelective(Encoding):
    base: float = 500000
    layout: str = 'half_split'  # or 'interleaved'
    temperature_max: float = 1
    rank: int = 16
    phi_down: Optional[np.ndarray] = None  # (rank, dim), for token_tensors
    phi_up: Optional[np.ndarray] = None  # (heads * pairs, rank)
    phi_conv: Optional[np.ndarray] = None  # (heads * pairs, 4)
    biased: bool = False
    phi_bias: Optional[np.ndarray] = None  # (heads, pairs), default 0
    gated: bool = False
    gate_weight: Optional[np.ndarray] = None  # (heads, dim)
    gate_bias: Optional[np.ndarray] = None  # (heads,), default 0

    def selective_angles(self, steps, gate=None):
        """Radians of each token, for steps (heads, tokens, pairs) and gate (heads, tokens)."""
        if gate is not None:
            steps = steps * gate[..., None]
        pairs = steps.shape[-1]
        return self.temperature_max * self.base ** (-np.arange(pairs) / pairs) * np.cumsum(steps, axis=1)

    def dot_product(self, q, k, query_positions, key_positions, steps, gate=None):
        """The queries are the last tokens."""
        angles = self.selective_angles(steps, gate)
        q, k = (rotate_pairs(x, angles[:, -x.shape[1] :], self.layout) for x in (q, k))
        return q @ k.swapaxes(-1, -2)

    def token_tensors(self, x, heads):
        tokens, dim = x.shape
        per_head = x.reshape(tokens, heads, -1)
        unit = (per_head / np.sqrt((per_head**2).sum(axis=-1, keepdims=True) + 1e-6)).reshape(tokens, dim)
        steps = low_rank_convolution(unit, self.phi_down, self.phi_up, self.phi_conv)
        steps = steps.reshape(tokens, heads, -1).swapaxes(0, 1)
        if self.biased:
            steps = steps + (1.0 if self.phi_bias is None else np.exp(self.phi_bias)[:, None])
        if not self.gated:
            return {'steps': steps}
        logits = self.gate_weight @ unit.T
        return {'steps': steps, 'gate': sigmoid(logits if self.gate_bias is None else logits + self.gate_bias[:, None])}
