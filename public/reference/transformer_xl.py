"""Transformer-XL (Dai et al. 2019, section 3.3, arXiv 1901.02860): queries meet sinusoids of the distance, and two trained vectors."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, relative_position
from rope import inverse_frequencies


@dataclass
class TransformerXl(Encoding):
    u: Optional[np.ndarray] = None  # (heads, head_dim)
    v: Optional[np.ndarray] = None  # (heads, head_dim)
    w_r: Optional[np.ndarray] = None  # (heads * head_dim, dim)
    base: float = 10000
    layout: str = 'concatenated'  # or 'interleaved'
    clamp_len: float = 0

    def content_bias(self, q, k, query_positions, key_positions, scale):
        heads, _, head_dim = q.shape
        distance = -relative_position(query_positions, key_positions)
        if self.clamp_len > 0:
            distance = np.clip(distance, -self.clamp_len, self.clamp_len)
        angles = distance[..., None] * inverse_frequencies(self.base, self.w_r.shape[1])
        if self.layout == 'concatenated':
            r = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
        else:
            r = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*distance.shape, -1)
        relative = np.einsum('hwd,qkd->hqkw', self.w_r.reshape(heads, head_dim, -1), r)
        content = np.einsum('hw,hkw->hk', self.u, k)[:, None]
        position = np.einsum('hqw,hqkw->hqk', q + self.v[:, None], relative)
        return scale * (content + position)
