"""PoPE (Gopalakrishnan et al. 2025): each channel becomes a length, the softplus of the channel, at the angle of its position."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, softplus


@dataclass
class Pope(Encoding):
    base: float = 10000
    phase: Optional[np.ndarray] = None  # (heads, head_dim), trained, from -2 pi to 0

    def apply_rotary(self, x, positions, role='query'):
        """x (heads, tokens, dim) as (heads, tokens, 2 dim): cosine and sine part alternate."""
        dim = x.shape[-1]
        angles = np.asarray(positions, float)[:, None] * self.base ** (-np.arange(dim) / dim)
        if role == 'query':
            angles = angles - np.clip(self.phase, -2 * np.pi, 0)[:, None]
        lengths = softplus(x)
        return np.stack([lengths * np.cos(angles), lengths * np.sin(angles)], axis=-1).reshape(*x.shape[:-1], -1)
