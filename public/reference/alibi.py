"""ALiBi (Press et al. 2021, arXiv 2108.12409): a penalty that is linear in the distance."""

import math
from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, relative_position


def alibi_slopes(heads, bias_max=8.0):
    """2^(-bias_max h/H); beyond a power of two every other slope of the next one (the authors' get_slopes)."""
    lower = 2 ** int(math.log2(heads))
    exponents = [h / lower for h in range(1, lower + 1)] + [h / (2 * lower) for h in range(1, 2 * (heads - lower), 2)]
    return 2.0 ** (-bias_max * np.array(exponents))


@dataclass
class Alibi(Encoding):
    form: str = 'symmetric'  # or 'causal', 'row_shifted' (BLOOM), 'mpt' (MPT), 'half_heads'
    bias_max: float = 8
    right_factor: float = 1
    max_seq_len: int = 64
    slopes: Optional[np.ndarray] = None  # (heads,), trained

    def head_slopes(self, heads):
        if self.slopes is not None:
            return np.asarray(self.slopes)
        if self.form == 'half_heads':
            return np.tile(alibi_slopes((heads + 1) // 2, self.bias_max), 2)[:heads]
        return alibi_slopes(heads, self.bias_max)

    def attention_bias(self, heads, query_positions, key_positions):
        slopes = self.head_slopes(heads)[:, None, None]
        relative = relative_position(query_positions, key_positions)  # key - query
        if self.form == 'symmetric':
            return slopes * np.where(relative < 0, relative, -self.right_factor * relative)
        if self.form == 'causal':
            return slopes * np.minimum(relative, 0)
        if self.form == 'half_heads':  # to the left for the first half of the heads, to the right for the others
            is_left = (2 * np.arange(heads) < heads)[:, None, None]
            return slopes * np.where(is_left, np.minimum(relative, 0), -np.maximum(relative, 0))
        # Growing with the position of the key: the same after a causal softmax.
        origin = self.max_seq_len - 1 if self.form == 'mpt' else 0
        keys = np.asarray(key_positions, float) - origin
        return np.broadcast_to(slopes * keys, (heads, len(query_positions), len(keys)))
