"""KERPLE (Chi et al. 2022, arXiv 2205.09921): a kernel of the distance whose numbers each head learns."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, relative_position


@dataclass
class Kerple(Encoding):
    r1: Optional[np.ndarray] = None  # (heads,)
    r2: Optional[np.ndarray] = None
    wei_a: Optional[np.ndarray] = None  # of weighted_power
    wei_p: Optional[np.ndarray] = None
    form: str = 'log'  # or 'power', 'weighted_power'
    right: str = 'distance'  # or 'zero': keys on the right are at distance 0

    def distance(self, query_positions, key_positions):
        back = -relative_position(query_positions, key_positions)
        return np.maximum(back, 0) if self.right == 'zero' else np.abs(back)

    def attention_bias(self, heads, query_positions, key_positions):
        distance = self.distance(query_positions, key_positions)
        r1 = np.maximum(self.r1, 0.01)[:, None, None]
        if self.form == 'log':
            return -r1 * np.log1p(np.maximum(self.r2, 0.01)[:, None, None] * distance)
        return -r1 * distance ** np.clip(self.r2, 0.01, 2)[:, None, None]

    def content_bias(self, q, k, query_positions, key_positions, scale):
        bias = self.attention_bias(len(q), query_positions, key_positions)
        if self.form != 'weighted_power':
            return bias
        # The scores s themselves fade with the distance: s exp(-a D^p).
        a, p = np.maximum(self.wei_a, 0.01)[:, None, None], np.clip(self.wei_p, 0.01, 2)[:, None, None]
        fading = np.exp(-a * self.distance(query_positions, key_positions) ** p)
        return bias + (fading - 1) * (scale * q @ k.swapaxes(-1, -2))
