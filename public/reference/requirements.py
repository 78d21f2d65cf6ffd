"""Five requirements of a positional encoding, measured: positions differ, vectors are bounded, a longer text changes nothing, neighbours are
close, and attention depends on the distance alone."""

import numpy as np

from analysis import diagonals


class PositionVectors:
    """The vectors that an encoding adds to the embeddings."""

    def __init__(self, encoding, dim):
        self.encoding, self.dim = encoding, dim

    def vectors(self, length):
        """One vector for each position of a text: (positions, channels)."""
        return self.encoding.position_table(np.arange(length, dtype=float), self.dim)

    def beginning(self, length, shown):
        """The first `shown` positions of a text."""
        return self.vectors(length)[:shown]

    def products(self, length):
        """The terms of attention scores for each pair of positions: matrices (positions, positions)."""
        return [self.vectors(length) @ self.vectors(length).T]


class RotatedKeys(PositionVectors):
    """One key k (heads, 1, head_dim), rotated to every position, and one query q."""

    def __init__(self, encoding, q, k):
        self.encoding, self.q, self.k = encoding, q, k

    def rotated(self, x, length, role):
        """The vector x at each position, its heads side by side: (positions, heads * head_dim)."""
        turned = self.encoding.apply_rotary(np.tile(x, (1, length, 1)), np.arange(length, dtype=float), role)
        return np.concatenate(list(turned), axis=1)

    def vectors(self, length):
        return self.rotated(self.k, length, 'key')

    def products(self, length):
        return [self.rotated(self.q, length, 'query') @ self.vectors(length).T]


class Biases(PositionVectors):
    """The biases of one query q and one key k (heads, 1, head_dim) at every position."""

    def __init__(self, encoding, q, k, causal):
        self.encoding, self.q, self.k, self.causal = encoding, q, k, causal

    def biases(self, queries, length):
        """Biases of these queries: (heads, queries, positions)."""
        q, k = np.tile(self.q, (1, len(queries), 1)), np.tile(self.k, (1, length, 1))
        return self.encoding.content_bias(q, k, queries, np.arange(length, dtype=float), self.encoding.logit_scale(q.shape[-1]))

    def vectors(self, length):
        """The biases of each position, seen from one query: (positions, heads)."""
        query = length - 1 if self.causal else length // 2
        return self.biases(np.array([float(query)]), length)[:, 0].T

    def beginning(self, length, shown):
        """Biases of all pairs of the first `shown` positions; 0 for keys that the causal mask hides."""
        positions = np.arange(length, dtype=float)
        biases = self.biases(positions, length)
        if self.causal:
            biases = np.where(positions <= positions[:, None], biases, 0.0)
        return biases[:, :shown, :shown]

    def products(self, length):
        return self.beginning(length, length)


def norms(table):
    return np.sqrt((table**2).sum(axis=1))


def measure(source, length, line):
    """Measured value, threshold and verdict of each requirement: (5, 3). Verdicts: 1 holds, 0 does not, -1 does not apply.

    line: how many positions are on one line, which is fewer than `length` for patches of an image.
    """
    table, products = source.vectors(length), source.products(line)
    longest = norms(table).max()
    closest = min(norms(table[at + 1 :] - table[at]).min() for at in range(length - 1))
    step = norms(table[1:line] - table[: line - 1]).max()
    spread = max(np.ptp(one) for matrix in products for one in diagonals(matrix))
    rounding = 1e-5 * max(1.0, max(np.abs(matrix).max() for matrix in products))
    rows = [[closest, longest / 256, closest > 0 and closest >= longest / 256]]
    try:
        grown = norms(source.vectors(8 * length)).max()
        rows.append([grown, 2 * longest, grown <= 2 * longest])
    except (IndexError, ValueError):  # a learned table has no rows for a longer text
        rows.append([0, 0, -1])
    try:
        changed = np.abs(source.beginning(2 * length, length) - source.beginning(length, length)).max()
        rows.append([changed, 1e-6 * longest, changed <= 1e-6 * longest])
    except (IndexError, ValueError):
        rows.append([0, 0, 0])
    rows.append([step, longest, step < longest])
    rows.append([spread, rounding, spread <= rounding])
    return np.array(rows, dtype=float)
