"""CoPE (Golovneva et al. 2024, arXiv 2405.18719): a position counts the tokens, from a key to the query, that matter."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, relative_position, sigmoid


@dataclass
class Cope(Encoding):
    pos_emb: Optional[np.ndarray] = None  # (head_dim, npos)
    gate_key: Optional[np.ndarray] = None  # (heads, keys, head_dim), default: the keys
    npos: int = 64
    placement: str = 'outside'  # or 'inside': the bias is scaled, too

    def content_bias(self, q, k, query_positions, key_positions, scale):
        logits = scale * q @ (k if self.gate_key is None else self.gate_key).swapaxes(-1, -2)
        is_before = relative_position(query_positions, key_positions) <= 0
        gates = np.where(is_before, sigmoid(logits), 0.0)
        positions = np.minimum(gates[..., ::-1].cumsum(axis=-1)[..., ::-1], self.npos - 1)
        products = q @ self.pos_emb  # (heads, queries, npos)
        if self.placement == 'inside':
            products = scale * products
        low, high = np.floor(positions), np.ceil(positions)
        at_low = np.take_along_axis(products, low.astype(int), axis=-1)
        at_high = np.take_along_axis(products, high.astype(int), axis=-1)
        return at_low + (positions - low) * (at_high - at_low)
