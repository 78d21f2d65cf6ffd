"""PaTH (Yang et al. 2025, arXiv 2505.16381): every token between a key and a query reflects the key."""

from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding, sigmoid
from forgetting import decay_bias


def low_rank_convolution(x, down, up, taps):
    """x (tokens, dim) through a projection of low rank and a convolution that ends at each token: (tokens, channels)."""
    channels, width = x @ down.T @ up.T, taps.shape[1]
    padded = np.pad(channels, ((width - 1, 0), (0, 0)))
    return sum(taps[:, tap] * padded[tap : tap + len(x)] for tap in range(width))


def reflected_key(k, w, beta):
    """A key k (dim,) after each token t, H_t ... H_1 k with H_t = I - beta w_t w_t^T, for w (tokens, dim): (tokens + 1, dim)."""
    keys = [np.asarray(k, float)]
    for direction in w:
        keys.append(keys[-1] - beta * (keys[-1] @ direction) * direction)
    return np.stack(keys)


@dataclass
class Path(Encoding):
    normalise_w: bool = True
    eps: float = 1e-6
    gate_scaled: bool = True
    rank: int = 32
    w_down: Optional[np.ndarray] = None  # (rank, dim), for token_tensors
    w_up: Optional[np.ndarray] = None  # (dim, rank)
    w_conv: Optional[np.ndarray] = None  # (dim, 3)
    beta_weight: Optional[np.ndarray] = None  # (heads, dim)
    beta_bias: Optional[np.ndarray] = None  # (heads,), default 0

    def dot_product(self, q, k, query_positions, key_positions, w, beta, log_gates=None):
        """q_i H_i ... H_(j+1) k_j with H_t = I - beta_t w_t w_t^T; w (heads, keys, head_dim), beta (heads, keys)."""
        if self.normalise_w:
            w = w / np.sqrt((w * w).sum(axis=-1, keepdims=True) + self.eps)
        tokens, moved, rows = k.shape[1], np.array(k, float), []
        for t in range(tokens):
            along = beta[:, t, None] * (moved @ w[:, t, :, None])[..., 0]  # (heads, keys)
            along = np.where(np.arange(tokens) < t, along, 0.0)
            moved = moved - along[..., None] * w[:, None, t]
            query = t - (tokens - q.shape[1])  # the queries are the last tokens
            if query >= 0:
                rows.append((moved @ q[:, query, :, None])[..., 0])
        return np.stack(rows, axis=1)

    def content_bias(self, q, k, query_positions, key_positions, scale, w, beta, log_gates=None):
        if log_gates is None:
            return 0.0
        return decay_bias(scale * log_gates if self.gate_scaled else log_gates, q.shape[1])

    def token_tensors(self, x, heads):
        z = low_rank_convolution(x, self.w_down, self.w_up, self.w_conv)
        w = (z * sigmoid(z)).reshape(len(x), heads, -1).swapaxes(0, 1)
        logits = self.beta_weight @ x.T
        return {'w': w, 'beta': 2 * sigmoid(logits if self.beta_bias is None else logits + self.beta_bias[:, None])}
