"""T5's relative bias (Raffel et al. 2019, arXiv 1910.10683): a trained number per head and bucket of distances."""

import math
from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, relative_position


def t5_bucket(relative, num_buckets=32, max_distance=128, bidirectional=True):
    """The bucket of key - query: the first distances have their own, the others share logarithmic ones."""
    side = num_buckets // 2 if bidirectional else num_buckets
    exact = side // 2
    distance = np.floor(np.abs(relative) if bidirectional else np.maximum(-relative, 0))
    steps = np.log(np.maximum(distance, 1) / exact) / math.log(max_distance / exact) * (side - exact)
    far = np.minimum(exact + np.floor(steps + 1e-9), side - 1)  # whole steps may be rounded to just below
    bucket = np.where(distance < exact, distance, far)
    if bidirectional:
        bucket = bucket + side * (relative > 0)
    return bucket.astype(int)


@dataclass
class T5(Encoding):
    table: Optional[np.ndarray] = None  # (num_buckets, heads)
    num_buckets: int = 32
    max_distance: int = 128
    bidirectional: bool = True
    multiplier: float = 1

    def logit_scale(self, head_dim):
        return 1.0

    def attention_bias(self, heads, query_positions, key_positions):
        relative = relative_position(query_positions, key_positions)
        buckets = t5_bucket(relative, self.num_buckets, self.max_distance, self.bidirectional)
        return self.multiplier * np.moveaxis(self.table[buckets], -1, 0)
