"""DAPE (Zheng et al. 2024, arXiv 2405.14722): a bias, and what a small network makes of the scores and biases of all heads."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from alibi import Alibi
from encoding import Encoding
from fire import Fire
from kerple import Kerple
from t5 import T5


@dataclass
class Dape(Encoding):
    bias: str = 'kerple'  # or 'alibi', 'fire', 't5'
    right: str = 'distance'  # or 'zero'
    negative_slope: float = 0.01
    w1: Optional[np.ndarray] = None  # (units, 2 heads)
    b1: Optional[np.ndarray] = None  # (units,)
    w2: Optional[np.ndarray] = None  # (heads, units)
    b2: Optional[np.ndarray] = None  # (heads,)
    bias_r1: Optional[np.ndarray] = None  # of KERPLE
    bias_r2: Optional[np.ndarray] = None
    bias_slopes: Optional[np.ndarray] = None  # of ALiBi
    bias_w1: Optional[np.ndarray] = None  # of FIRE
    bias_b1: Optional[np.ndarray] = None
    bias_w2: Optional[np.ndarray] = None
    bias_b2: Optional[np.ndarray] = None
    bias_c: Optional[np.ndarray] = None
    bias_l_multiplier: Optional[np.ndarray] = None
    bias_table: Optional[np.ndarray] = None  # of T5

    def pair_bias(self):
        """The encoding whose bias the network reads."""
        if self.bias == 'kerple':
            return Kerple(self.bias_r1, self.bias_r2, right=self.right)
        if self.bias == 'alibi':
            return Alibi(form='causal' if self.right == 'zero' else 'symmetric', slopes=self.bias_slopes)
        if self.bias == 'fire':
            return Fire(self.bias_w1, self.bias_b1, self.bias_w2, self.bias_b2, self.bias_c, self.bias_l_multiplier)
        return T5(self.bias_table, bidirectional=self.right != 'zero')

    def content_bias(self, q, k, query_positions, key_positions, scale):
        scores = scale * q @ k.swapaxes(-1, -2)
        biases = self.pair_bias().attention_bias(len(q), query_positions, key_positions)
        inputs = np.moveaxis(np.concatenate([scores, biases]), 0, -1)  # (queries, keys, 2 heads)
        hidden = inputs @ self.w1.T + self.b1
        hidden = np.where(hidden < 0, self.negative_slope * hidden, hidden)
        return biases + np.moveaxis(hidden @ self.w2.T + self.b2, -1, 0)
