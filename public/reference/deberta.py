"""Disentangled attention (He et al. 2020, "DeBERTa", arXiv 2006.03654): content to position and position to content."""

import math
from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, relative_position


def deberta_bucket(distance, position_buckets, max_relative_positions):
    """The bucket of query - key: the smaller half of the distances per side have their own, the others logarithmic ones."""
    middle = position_buckets // 2
    size = np.abs(distance)
    steps = np.log(np.maximum(size, middle) / middle) / math.log((max_relative_positions - 1) / middle) * (middle - 1)
    far = middle + np.ceil(steps - 1e-9)  # whole steps may be rounded to just above
    return np.sign(distance) * np.where(size <= middle, size, far)


@dataclass
class Deberta(Encoding):
    pos_key: Optional[np.ndarray] = None  # (heads, 2 span, head_dim), projected already
    pos_query: Optional[np.ndarray] = None
    terms: str = 'c2p_p2c'  # or 'c2p', 'p2c'
    position_buckets: int = 256
    max_relative_positions: int = 512

    def logit_scale(self, head_dim):
        return ((1 + len(self.terms.split('_'))) * head_dim) ** -0.5

    def rows(self, query_positions, key_positions):
        """The row of the tables for each query and key."""
        distance = -relative_position(query_positions, key_positions)
        if self.position_buckets > 0:
            distance = deberta_bucket(distance, self.position_buckets, self.max_relative_positions)
        span = self.position_buckets or self.max_relative_positions
        return np.clip(distance + span, 0, 2 * span - 1).astype(int)

    def content_bias(self, q, k, query_positions, key_positions, scale):
        rows, bias = self.rows(query_positions, key_positions), 0.0
        if self.terms != 'p2c':
            bias = bias + np.einsum('hqw,hrw->hqr', q, self.pos_key)[:, np.arange(q.shape[1])[:, None], rows]
        if self.terms != 'c2p':
            bias = bias + np.einsum('hkw,hrw->hkr', k, self.pos_query)[:, np.arange(k.shape[1]), rows]
        return scale * bias
