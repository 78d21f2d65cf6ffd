"""Relative positions as vectors (Shaw et al. 2018, equations 3 and 4, arXiv 1803.02155), added to keys and to values."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, relative_position


@dataclass
class Shaw(Encoding):
    table_k: Optional[np.ndarray] = None  # (2 clip + 1, head_dim), or (heads, 2 clip + 1, head_dim)
    table_v: Optional[np.ndarray] = None
    clip: int = 16
    direction: str = 'right_positive'  # or 'left_positive'
    values: bool = True
    per_head: bool = False

    def rows(self, query_positions, key_positions):
        """The row of the tables for each query and key: the distance, clipped."""
        relative = relative_position(query_positions, key_positions)
        if self.direction == 'left_positive':
            relative = -relative
        return (np.clip(np.round(relative), -self.clip, self.clip) + self.clip).astype(int)

    def content_bias(self, q, k, query_positions, key_positions, scale):
        products = q @ self.table_k.swapaxes(-1, -2)  # (heads, queries, rows)
        return scale * products[:, np.arange(q.shape[1])[:, None], self.rows(query_positions, key_positions)]

    def value_bias(self, weights, query_positions, key_positions):
        if not self.values:
            return 0.0
        rows = self.rows(query_positions, key_positions)
        if self.per_head:
            return np.einsum('hqk,hqkw->hqw', weights, self.table_v[:, rows])
        return np.einsum('hqk,qkw->hqw', weights, self.table_v[rows])
