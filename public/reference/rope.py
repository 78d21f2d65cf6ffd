"""Rotary position embedding (Su et al. 2021, "RoFormer", arXiv 2104.09864) and its extensions to longer contexts.

Pair t of the channels of a query or key is rotated by position * base^(-2t/d). `scaling` changes these frequencies, `remap` the
distances at which scores are taken.
"""

import math
from dataclasses import dataclass
from typing import Optional

import numpy as np

from encoding import Encoding


def rotate_pairs(x, angles, layout, gain=1.0):
    """Rotates pairs of channels of x (..., tokens, dim) by angles (tokens, pairs); channels beyond 2 * pairs stay as they are."""
    dim = 2 * angles.shape[-1]
    x, rest = x[..., :dim], x[..., dim:]
    cos, sin = gain * np.cos(angles), gain * np.sin(angles)
    if layout == 'interleaved':
        a, b = x[..., 0::2], x[..., 1::2]
        rotated = np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)
    else:
        a, b = x[..., : dim // 2], x[..., dim // 2 :]
        rotated = np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)
    return np.concatenate([rotated, rest], axis=-1)


def inverse_frequencies(base, dim):
    """Radians per token of each pair (section 3.2.2)."""
    return base ** (-2.0 * np.arange(dim // 2) / dim)


def yarn_ramp(fast, slow, base, dim, original_length, truncate=True):
    """0 up to the pair that turns `fast` times within the original context, 1 from the one that turns `slow` times."""
    low, high = (dim * math.log(original_length / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (fast, slow))
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    return np.clip((np.arange(dim // 2) - low) / ((high - low) or 0.001), 0, 1)


def yarn_magnitude(stretch, mscale=1.0):
    """YaRN's factor on cosines and sines (Peng et al. 2023, section 3.4)."""
    return 1.0 if stretch <= 1 else 0.1 * mscale * math.log(stretch) + 1


@dataclass
class RopeFrequencies(Encoding):
    """Frequencies after context extension and the factor on cosines and sines, which rope and mrope share."""

    base: float = 10000
    layout: str = 'interleaved'  # or 'half_split'
    rotary_dim: int = 0  # 0: rotary_fraction of the channels
    rotary_fraction: float = 1
    kept_fraction: float = 1  # p-RoPE (Barbero et al. 2024): the slowest pairs do not rotate
    scaling: str = 'none'
    factor: float = 4
    original_length: float = 2048
    max_length: float = 0
    sequence_length: float = 0
    attention_factor: float = 0  # 0: the one of the scaling
    beta_fast: float = 32
    beta_slow: float = 1
    truncate: bool = True
    mscale: float = 0
    mscale_all_dim: float = 0
    low_freq_factor: float = 1
    high_freq_factor: float = 4
    short_factor: Optional[np.ndarray] = None  # (pairs,), LongRoPE
    long_factor: Optional[np.ndarray] = None
    magnitude: str = 'su'  # or 'yarn'
    beta_0: float = 1.25
    beta_1: float = 0.75
    gamma_0: float = 16
    gamma_1: float = 2

    def rotary_channels(self, dim):
        """How many channels are rotated."""
        return self.rotary_dim or int(self.rotary_fraction * dim)

    def frequencies(self, dim):
        """Radians per token of each of dim / 2 pairs, after context extension."""
        return self.without_slowest(self.scaled(dim), dim)

    def without_slowest(self, frequencies, dim):
        return np.where(np.arange(dim // 2) < math.floor(self.kept_fraction * dim / 2), frequencies, 0.0)

    def scaled(self, dim):
        original = inverse_frequencies(self.base, dim)
        if self.scaling == 'none':
            return original
        if self.scaling == 'linear':  # position interpolation (Chen et al. 2023)
            return original / self.factor
        if self.scaling == 'ntk_aware':  # bloc97 2023
            return self.rebased(self.factor, dim)
        if self.scaling == 'dynamic_ntk':  # emozilla 2023
            if self.sequence_length <= self.original_length:
                return original
            return self.rebased(self.factor * self.sequence_length / self.original_length - (self.factor - 1), dim)
        if self.scaling in ('by_parts', 'yarn'):  # Peng et al. 2023, sections 3.2 and 3.4
            ramp = yarn_ramp(self.beta_fast, self.beta_slow, self.base, dim, self.original_length, self.truncate)
            return original * (1 - ramp) + original / self.factor * ramp
        if self.scaling == 'llama3':  # Llama 3.1: three bands
            turns = self.original_length * original / (2 * math.pi)
            low, high = self.low_freq_factor, self.high_freq_factor
            kept = 1.0 * (turns >= low) if low == high else np.clip((turns - low) / (high - low), 0, 1)
            return original / self.factor * (1 - kept) + original * kept
        if self.scaling == 'longrope':  # Ding et al. 2024
            longer = self.sequence_length > self.original_length
            divisor = self.long_factor if longer else self.short_factor
            if divisor is None:
                divisor = self.factor if longer else 1
            return original / divisor
        # part_ntk: the class "part NTK" of the YaRN repository
        slow = yarn_ramp(self.beta_0, self.beta_1, self.base, dim, self.original_length)
        mixed = self.rebased(self.factor, dim) * (1 - slow) + original / self.factor * slow
        whole = yarn_ramp(self.gamma_0, self.gamma_1, self.base, dim, self.original_length)
        return original * (1 - whole) + mixed * whole

    def rebased(self, stretch, dim):
        """A larger base, which slows the slowest pair by `stretch`."""
        return inverse_frequencies(self.base * stretch ** (dim / max(dim - 2, 1)), dim)

    def rotary_gain(self):
        """The factor on cosines and sines."""
        if self.attention_factor > 0:
            return self.attention_factor
        if self.scaling == 'yarn':
            if self.mscale > 0 and self.mscale_all_dim > 0:
                return yarn_magnitude(self.factor, self.mscale) / yarn_magnitude(self.factor, self.mscale_all_dim)
            return yarn_magnitude(self.factor)
        if self.scaling != 'longrope':
            return 1.0
        stretch = self.max_length / self.original_length if self.max_length > 0 else self.factor
        if stretch <= 1:
            return 1.0
        if self.magnitude == 'yarn':
            return yarn_magnitude(stretch)
        return math.sqrt(1 + math.log(stretch) / math.log(self.original_length))


@dataclass
class Rope(RopeFrequencies):
    direction: str = 'positive'  # or 'negative': the other way (nanochat)
    rotary_offset: int = 0  # the first channels are not rotated
    start_tokens: int = 0  # the first tokens rotate as in training
    remap: str = 'none'  # or 'self_extend', 'rerope', 'leaky_rerope', 'lm_infinite', 'dual_chunk'
    window: float = 512
    group: float = 8
    leak: float = 16
    sink_tokens: int = 10
    max_distance: float = 512
    chunk: float = 512
    max_position: float = 767
    training_length: float = 0

    def rotary_channels(self, dim):
        return super().rotary_channels(dim - self.rotary_offset)

    def rotary_angles(self, positions, dim):
        """Radians of each pair at each position: (tokens, pairs)."""
        dim = self.rotary_channels(dim)
        positions = np.asarray(positions, float)[:, None]
        original = self.without_slowest(inverse_frequencies(self.base, dim), dim)
        sign = -1 if self.direction == 'negative' else 1
        return sign * positions * np.where(positions < self.start_tokens, original, self.frequencies(dim))

    def apply_rotary(self, x, positions, role='query'):
        gain = np.where(np.asarray(positions) < self.start_tokens, 1.0, self.rotary_gain())[:, None]
        angles = self.rotary_angles(positions, x.shape[-1])
        rotated = rotate_pairs(x[..., self.rotary_offset :], angles, self.layout, gain)
        return np.concatenate([x[..., : self.rotary_offset], rotated], axis=-1)

    def rope_distances(self, query_positions, key_positions):
        """The distances at which scores are taken: (queries, keys)."""
        i, j = np.asarray(query_positions, float)[:, None], np.asarray(key_positions, float)[None, :]
        near = i - j < self.window
        if self.remap == 'self_extend':  # Jin et al. 2024
            shift = self.window - self.window // self.group
            return np.where(near, i - j, i // self.group - j // self.group + shift)
        if self.remap == 'rerope':  # Su 2023
            return np.minimum(i - j, self.window)
        if self.remap == 'leaky_rerope':
            return np.where(near, i - j, self.window + (i - j - self.window) / self.leak)
        if self.remap == 'lm_infinite':  # Han et al. 2024
            return np.where(near, i - j, self.max_distance)
        if self.remap == 'dual_chunk':  # An et al. 2024
            chunks = i // self.chunk - j // self.chunk
            before = np.minimum(i % self.chunk + self.chunk, self.max_position)
            older = min(2 * self.chunk - 1, self.max_position)
            return np.where(chunks < 1, i - j, np.where(chunks < 2, before, older) - j % self.chunk)
        return i - j

    def hidden(self, query_positions, key_positions):
        if self.remap != 'lm_infinite':
            return super().hidden(query_positions, key_positions)
        i, j = np.asarray(query_positions)[:, None], np.asarray(key_positions)[None, :]
        return (i - j >= self.window) & (j >= self.sink_tokens)

    def dot_product(self, q, k, query_positions, key_positions):
        if self.remap == 'none':
            return super().dot_product(q, k, query_positions, key_positions)
        dim = self.rotary_channels(q.shape[-1])
        angles = self.rope_distances(query_positions, key_positions)[..., None] * self.frequencies(dim)
        (a, b), (c, d) = (split_pairs(x[..., :dim], self.layout) for x in (q[:, :, None], k[:, None]))
        # The rotation of a query against a key at this distance.
        product = ((a * c + b * d) * np.cos(angles) + (a * d - b * c) * np.sin(angles)).sum(axis=-1)
        product = self.rotary_gain() ** 2 * product + q[..., dim:] @ k[..., dim:].swapaxes(-1, -2)
        if self.training_length > 1 and self.remap in ('rerope', 'leaky_rerope'):
            growth = np.log(np.asarray(query_positions, float) + 1) / math.log(self.training_length)
            product = product * np.maximum(growth, 1)[:, None]
        return product


def split_pairs(x, layout):
    """The first and the second channel of each pair."""
    half = x.shape[-1] // 2
    return (x[..., 0::2], x[..., 1::2]) if layout == 'interleaved' else (x[..., :half], x[..., half:])
