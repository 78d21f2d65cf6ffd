"""FIRE (Li et al. 2023, arXiv 2310.04418): a small network of the distance, in units that grow with the query's position."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, relative_position


@dataclass
class Fire(Encoding):
    w1: Optional[np.ndarray] = None  # (units, 1)
    b1: Optional[np.ndarray] = None  # (units,)
    w2: Optional[np.ndarray] = None  # (heads, units)
    b2: Optional[np.ndarray] = None  # (heads,)
    c: Optional[np.ndarray] = None  # (1,), before training init_c
    l_multiplier: Optional[np.ndarray] = None  # (1,), before training 1
    init_c: float = 0.1
    init_l: float = 512
    eps: float = 1e-6

    def attention_bias(self, heads, query_positions, key_positions):
        c = self.init_c if self.c is None else self.c
        limit = self.init_l if self.l_multiplier is None else np.abs(self.l_multiplier * self.init_l)

        def phi(x):
            return np.log1p(np.abs(c * x))

        unit = phi(np.maximum(np.asarray(query_positions, float), limit))[:, None] + self.eps
        x = phi(relative_position(query_positions, key_positions)) / unit
        hidden = np.maximum(x[..., None] * self.w1[:, 0] + self.b1, 0)
        return np.moveaxis(hidden @ self.w2.T + self.b2, -1, 0)
