"""Properties of rotary encodings: scores by distance, angles beyond training, rounding errors, frequencies of a trained model."""

import math

import numpy as np

from attention import attention
from rope import Rope


def score_decay(encoding, dim, distances, queries, key, std):
    """Scores by distance: of equal vectors, their bound (Su et al. 2021, section 3.4.3), of unrelated vectors: (distances, 3).

    queries (count, dim) and key (dim,) are drawn from N(0, std^2); the root mean square of their scores is relative to its expectation.
    """

    def scores(q, k):
        keys = np.tile(k, (1, len(distances), 1))
        return encoding.apply_rotary(q[None], np.zeros(len(q)))[0] @ encoding.apply_rotary(keys, distances, 'key')[0].T

    ones = np.ones(dim)
    equal = scores(ones[None], ones)[0] / dim
    angles = encoding.rotary_angles(distances, dim)
    partial = np.abs(np.cumsum(np.exp(1j * angles), axis=1))
    bound = 2 * partial.mean(axis=1) / (angles.shape[1] + 1)
    unrelated = np.sqrt((scores(queries, key) ** 2).sum(axis=0) / (len(queries) * std**2 * (key**2).sum()))
    return np.stack([equal, bound, unrelated], axis=1)


def visible_distances(encoding, length):
    """The distance at which each key is taken: (queries, keys). NaN: the key is after its query, or the encoding masks it."""
    positions = np.arange(length, dtype=float)
    is_seen = (positions <= positions[:, None]) & ~encoding.hidden(positions, positions)
    return np.where(is_seen, encoding.rope_distances(positions, positions), np.nan)


def unseen_angles(encoding, dim, trained, length):
    """How much of a text of `length` tokens is beyond training on `trained` tokens.

    A pair of channels that completed a rotation in training has seen every angle; any other those up to its angle at `trained`.
    Returns (unseen, taken, weights, mean): for the last query, from the nearest key on, the share of pairs with an angle beyond training,
    the distance at which the key is taken, and its weight if query and keys are ones; and the mean share over all queries and keys.
    """
    original = Rope().frequencies(dim)
    seen_angles = np.where(trained * original < 2 * math.pi, trained * original, math.inf)
    distances = visible_distances(encoding, length)
    share = np.zeros_like(distances)
    for frequency, limit in zip(encoding.frequencies(dim), seen_angles):
        share += distances * frequency > limit * (1 + 1e-6)
    share = np.where(np.isnan(distances), np.nan, share / (dim // 2))
    ones = np.ones((1, length, dim))
    weights = attention(ones[:, -1:], ones, ones, encoding, mask='causal', query_positions=np.array([length - 1.0])).weights[0, 0]
    last = np.where(np.isnan(distances[-1]), np.nan, weights)
    return share[-1, ::-1], distances[-1, ::-1], last[::-1], np.nanmean(share)


def bfloat16(x):
    """Rounded to the upper 16 bits of a float32, ties to even."""
    word = np.asarray(x, dtype=np.float32).view(np.uint32)
    return ((word + 0x7FFF + ((word >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def rounding_errors(encoding, dim, distance, points):
    """The largest error of the score of two vectors of ones at a distance, in five programs: (points, 5).

    points: for each, the positions of the key. The programs: float32 with angles in float64 (Phasor), float32, and float32 with
    bfloat16 cosines and sines, with bfloat16 frequencies, and with bfloat16 positions and frequencies.
    """
    f32 = np.float32
    frequencies = encoding.frequencies(encoding.rotary_channels(dim)).astype(f32)
    ones = np.ones((1, 1, dim))

    def rotated(position):
        return encoding.apply_rotary(ones, np.array([float(position)]))[0, 0].astype(f32)

    def pairs(angles, rounded=f32):
        angles = angles.astype(f32)
        return np.concatenate([rounded(np.cos(angles)), rounded(np.sin(angles))])

    programs = [
        rotated,
        lambda position: pairs(f32(position) * frequencies),
        lambda position: pairs(f32(position) * frequencies, bfloat16),
        lambda position: pairs(f32(position) * bfloat16(frequencies)),
        lambda position: pairs(bfloat16(bfloat16(position) * bfloat16(frequencies))),
    ]
    exact = np.cos(distance * frequencies.astype(float)).mean()
    unrotated = dim - 2 * len(frequencies)  # each of these channels adds 1

    def error(program, position):
        score = program(position).astype(float) @ program(position + distance).astype(float)
        if program is rotated:
            score = (score - unrotated) / (2 * encoding.rotary_gain() ** 2)
        return abs(score / len(frequencies) - exact)

    return np.array([[max(error(program, position) for position in tried) for program in programs] for tried in points])


def frequency_use(queries, keys, channels, length):
    """The mean of |q||k| in each pair of channels, over all keys that a query sees: (heads, pairs).

    queries, keys (heads, tokens, head_dim), before they are rotated; a text is read in pieces of `length` tokens.
    """
    first, second = np.array(channels).T
    products, count = 0.0, 0
    for start in range(0, queries.shape[1], length):
        pieces = (x[:, start : start + length].astype(float) for x in (queries, keys))
        q, k = (np.hypot(x[..., first], x[..., second]) for x in pieces)  # (heads, tokens, pairs)
        products = products + (q * np.cumsum(k, axis=1)).sum(axis=1)
        count += q.shape[1] * (q.shape[1] + 1) / 2
    return products / count
