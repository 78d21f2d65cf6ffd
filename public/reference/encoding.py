"""The interface of an encoding: where it enters attention. Attention is in attention.py.

Every encoding is a dataclass whose fields are its parameters, and overrides the methods of the places where it enters. Arrays are
NumPy arrays of float64. Shapes: positions (tokens,), or (tokens, axes) where a token has several coordinates; q, k, v
(heads, tokens, head_dim).
"""

import numpy as np


class Encoding:
    """An encoding that enters nowhere; the base of all others."""

    def __post_init__(self):
        for name, value in vars(self).items():
            if isinstance(value, (np.ndarray, list)):
                setattr(self, name, np.asarray(value, float))

    def logit_scale(self, head_dim):
        """The factor on q.k."""
        return head_dim**-0.5

    def position_table(self, positions, dim):
        """The table that is added to the first channels of the embeddings: (tokens, channels)."""
        return np.zeros((len(positions), 0))

    def apply_rotary(self, x, positions, role='query'):
        """Queries or keys x (heads, tokens, head_dim), moved by their positions."""
        return x

    def dot_product(self, q, k, query_positions, key_positions, **token_tensors):
        """q.k of every query and key: (heads, queries, keys). token_tensors: what the call has for each token, by name."""
        q = self.apply_rotary(q, query_positions, 'query')
        return q @ self.apply_rotary(k, key_positions, 'key').swapaxes(-1, -2)

    def attention_bias(self, heads, query_positions, key_positions):
        """What is added to the scaled scores, whatever q and k are: (heads, queries, keys)."""
        return np.zeros((heads, len(query_positions), len(key_positions)))

    def content_bias(self, q, k, query_positions, key_positions, scale, **token_tensors):
        """What is added to the scaled scores: (heads, queries, keys)."""
        return self.attention_bias(len(q), query_positions, key_positions)

    def hidden(self, query_positions, key_positions):
        """Which keys are masked beside those of the call: (queries, keys) of bool."""
        return np.zeros((len(query_positions), len(key_positions)), dtype=bool)

    def value_bias(self, weights, query_positions, key_positions):
        """What is added to the output, for weights (heads, queries, keys)."""
        return 0.0

    def token_tensors(self, x, heads):
        """The tensors of each token that a layer makes of its embeddings x (tokens, dim), by name."""
        return {}


def relative_position(query_positions, key_positions):
    """key - query: (queries, keys)."""
    return np.asarray(key_positions, float) - np.asarray(query_positions, float)[:, None]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.logaddexp(0, x)
