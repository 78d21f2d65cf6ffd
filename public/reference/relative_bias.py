"""A trained number per signed distance, without buckets (Liu et al. 2021, "Swin", in one dimension)."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, relative_position


@dataclass
class RelativeBias(Encoding):
    b: Optional[np.ndarray] = None  # (2 max_length - 1,), or (heads, 2 max_length - 1)
    max_length: int = 2048
    placement: str = 'outside'  # or 'inside': added to q.k before both are scaled
    beyond: str = 'refuse'  # or 'clip'
    per_head: bool = False

    def attention_bias(self, heads, query_positions, key_positions):
        back = -relative_position(query_positions, key_positions)
        if self.beyond == 'clip':
            back = np.clip(back, 1 - self.max_length, self.max_length - 1)
        elif np.abs(back).max() >= self.max_length:
            raise ValueError('positions: two tokens are further apart than the table is long; expected a larger max_length')
        rows = (np.round(back) + self.max_length - 1).astype(int)
        return self.b[:, rows] if self.per_head else np.tile(self.b[rows], (heads, 1, 1))

    def content_bias(self, q, k, query_positions, key_positions, scale):
        bias = self.attention_bias(len(q), query_positions, key_positions)
        return scale * bias if self.placement == 'inside' else bias
