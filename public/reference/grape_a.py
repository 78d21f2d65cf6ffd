"""GRAPE-A (Zhang et al. 2025): ALiBi whose slopes depend on the contents."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from alibi import alibi_slopes
from encoding import Encoding, relative_position, softplus


@dataclass
class GrapeA(Encoding):
    gate: str = 'key'  # or 'query', 'both'
    gate_scale: float = 0  # 0: head_dim^-0.5
    omega: Optional[np.ndarray] = None  # (heads,), default: the slopes of ALiBi
    u: Optional[np.ndarray] = None  # (heads, head_dim), read by keys
    r: Optional[np.ndarray] = None  # (heads, head_dim), read by queries

    def content_bias(self, q, k, query_positions, key_positions, scale):
        heads, _, head_dim = q.shape
        omega = alibi_slopes(heads) if self.omega is None else self.omega
        factor = self.gate_scale or head_dim**-0.5
        gate = 0.0
        if self.gate != 'query':
            gate = gate + softplus(factor * k @ self.u[:, :, None]).swapaxes(-1, -2)
        if self.gate != 'key':
            gate = gate + softplus(factor * q @ self.r[:, :, None])
        distance = np.maximum(-relative_position(query_positions, key_positions), 0)
        return -distance * omega[:, None, None] * gate
