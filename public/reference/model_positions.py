"""The positions of published models in PyTorch: a function for each encoding, and the keys that a query sees.

Parameters have the names and values that Phasor reads from a config.json. positions: (tokens,); of mrope (tokens, 3), of rope_2d
(tokens, 2). q, k: (..., heads, tokens, head_dim). The files beside this one have the same in NumPy.
"""

import math

import torch


def visible(tokens, *, causal=True, window=0, window_ahead=None, chunk=0):
    """True where a query (row) sees a key (column), as attn_mask of scaled_dot_product_attention: (tokens, tokens)."""
    index = torch.arange(tokens)
    behind = index[:, None] - index
    seen = behind >= 0 if causal else torch.ones_like(behind, dtype=torch.bool)
    if window:
        seen = seen & (behind < window) & (-behind <= (window - 1 if window_ahead is None else window_ahead))
    if chunk:
        seen = seen & (index[:, None] // chunk == index // chunk)
    return seen


def temperature(positions, *, floor_scale, attn_scale, first=0):
    """The factor on queries that grows with their position (Llama 4): (tokens, 1)."""
    return (1 + attn_scale * torch.log1p((positions.double() + first) // floor_scale))[:, None]


def rotate_pairs(x, angles, layout, gain=1.0, offset=0):
    """Rotates pairs of the channels of x from `offset` on by angles (tokens, pairs); other channels are unchanged."""
    dim = 2 * angles.shape[-1]
    before, pairs, after = x.split([offset, dim, x.shape[-1] - offset - dim], dim=-1)
    cos, sin = (gain * angles.cos()).to(x), (gain * angles.sin()).to(x)
    if layout == 'interleaved':
        a, b = pairs[..., 0::2], pairs[..., 1::2]
        pairs = torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)
    else:
        a, b = pairs.chunk(2, dim=-1)
        pairs = torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
    return torch.cat([before, pairs, after], dim=-1)


def inverse_frequencies(base, dim):
    """Radians per token of each pair of channels, in float64."""
    return base ** (-2 * torch.arange(dim // 2, dtype=torch.float64) / dim)


def yarn_magnitude(stretch, mscale=1.0):
    return 1.0 if stretch <= 1 else 0.1 * mscale * math.log(stretch) + 1


def extended(original, base, *, scaling='none', factor=4.0, original_length=2048, attention_factor=0.0, beta_fast=32, beta_slow=1,
             truncate=True, mscale=0.0, mscale_all_dim=0.0, low_freq_factor=1, high_freq_factor=4):  # fmt: skip
    """Frequencies of a longer context, and the factor on cosines and sines."""
    if scaling == 'none':
        return original, 1.0
    if scaling == 'linear':
        return original / factor, attention_factor or 1.0
    if scaling == 'llama3':  # by the number of rotations within the original context
        rotations = original_length * original / (2 * math.pi)
        kept = ((rotations - low_freq_factor) / (high_freq_factor - low_freq_factor)).clamp(0, 1)
        return original / factor * (1 - kept) + original * kept, attention_factor or 1.0
    if scaling != 'yarn':
        raise ValueError(f'scaling: {scaling} is unknown; expected one of none, linear, llama3, yarn')
    dim = 2 * len(original)
    low, high = (dim * math.log(original_length / (beta * 2 * math.pi)) / (2 * math.log(base)) for beta in (beta_fast, beta_slow))
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    ramp = ((torch.arange(len(original), dtype=torch.float64) - low) / ((high - low) or 0.001)).clamp(0, 1)
    ratio = yarn_magnitude(factor, mscale) / yarn_magnitude(factor, mscale_all_dim) if mscale and mscale_all_dim else yarn_magnitude(factor)
    return original * (1 - ramp) + original / factor * ramp, attention_factor or ratio


def rope(positions, *tensors, layout='interleaved', base=10000, rotary_dim=0, rotary_fraction=1, rotary_offset=0, kept_fraction=1,
         direction='positive', **extension):  # fmt: skip
    """The tensors, usually q and k, rotated by position (Su et al. 2021); rotary_dim 0: rotary_fraction of the channels."""
    dim = rotary_dim or int(rotary_fraction * (tensors[0].shape[-1] - rotary_offset))
    frequencies, gain = extended(inverse_frequencies(base, dim), base, **extension)
    kept = torch.arange(dim // 2) < math.floor(kept_fraction * dim / 2)
    angles = positions[:, None] * frequencies * kept * (-1 if direction == 'negative' else 1)
    return [rotate_pairs(x, angles, layout, gain, rotary_offset) for x in tensors]


def mrope(positions, *tensors, layout='half_split', base=1000000, arrangement='contiguous', sections=None, temporal_pairs=0, **extension):
    """The same by time, row and column, of which each pair reads one (Qwen2-VL); sections: the pairs of each."""
    pairs = tensors[0].shape[-1] // 2
    if arrangement == 'video':
        axes = [1 + t % 2 if t < pairs - temporal_pairs else 0 for t in range(pairs)]
    elif arrangement == 'interleaved':
        axes = [t % 3 if t < 3 * (0, *sections[1:])[t % 3] else 0 for t in range(pairs)]
    else:
        axes = [axis for axis, count in enumerate(sections) for _ in range(count)]
    frequencies, gain = extended(inverse_frequencies(base, 2 * pairs), base, **extension)
    return [rotate_pairs(x, positions[:, axes] * frequencies, layout, gain) for x in tensors]


def rope_2d(positions, *tensors, convention):
    """The same by row and column of a patch: half of the pairs each."""
    if convention != 'qwen2_vl':
        raise ValueError(f'convention: {convention} is unknown; expected qwen2_vl')
    frequencies = inverse_frequencies(10000, tensors[0].shape[-1] // 2)
    angles = torch.cat([positions[:, :1] * frequencies, positions[:, 1:] * frequencies], dim=1)
    return [rotate_pairs(x, angles, 'half_split') for x in tensors]


def alibi(positions, heads, *, form='symmetric', bias_max=8):
    """The bias of ALiBi (Press et al. 2021), added to the scaled scores: (heads, 1 or tokens, tokens)."""
    lower = 2 ** int(math.log2(heads))
    exponents = [h / lower for h in range(1, lower + 1)] + [h / (2 * lower) for h in range(1, 2 * (heads - lower), 2)]
    slopes = (2.0 ** (-bias_max * torch.tensor(exponents, dtype=torch.float64)))[:, None, None]
    if form == 'row_shifted':  # BLOOM; the same after a causal softmax
        return slopes * positions
    return -slopes * (positions[:, None] - positions).abs()


def t5(positions, table, *, num_buckets=32, max_distance=128, bidirectional=True):
    """The bias of T5 (Raffel et al. 2019) from its table (num_buckets, heads): (heads, tokens, tokens)."""
    behind = positions[:, None] - positions
    side = num_buckets // 2 if bidirectional else num_buckets
    exact, distance = side // 2, behind.abs() if bidirectional else behind.clamp(min=0)
    steps = torch.log(distance.clamp(min=1).double() / exact) / math.log(max_distance / exact) * (side - exact)
    far = (exact + steps.add(1e-9).long()).clamp(max=side - 1)  # whole steps may be rounded to just below
    bucket = torch.where(distance < exact, distance.long(), far)
    if bidirectional:
        bucket = bucket + side * (behind < 0)
    return table[bucket].movedim(-1, 0)


def transformer_xl(positions, q, k, u, v, w_r, *, base=10000, clamp_len=0):
    """What is added to q.k before the scale (Dai et al. 2019): u, v (heads, head_dim), w_r (heads * head_dim, dim)."""
    distance = positions[:, None] - positions
    if clamp_len:
        distance = distance.clamp(-clamp_len, clamp_len)
    angles = distance[..., None] * inverse_frequencies(base, w_r.shape[1])
    relative = torch.cat([angles.sin(), angles.cos()], dim=-1).to(w_r) @ w_r.unflatten(0, u.shape).mT[:, None]
    return torch.einsum('hd,...hkd->...hk', u, k)[..., None, :] + torch.einsum('...hqd,hqkd->...hqk', q + v[:, None], relative)


def learned(positions, table, *, row_offset=0):
    """The rows of a trained table that are added to the embeddings: (tokens, dim)."""
    return table[positions.long() + row_offset]


def sinusoidal(positions, dim, *, layout='interleaved', base=10000, frequencies='paper', padding_idx=-1):
    """The table of sines and cosines (Vaswani et al. 2017) that is added to the embeddings, of an even dim: (tokens, dim)."""
    exponents = torch.arange(dim // 2, dtype=torch.float64) / (dim / 2 if frequencies == 'paper' else dim // 2 - 1)
    angles = positions[:, None] * base**-exponents
    pair = [angles.sin(), angles.cos()]
    table = torch.stack(pair, dim=-1).flatten(1) if layout == 'interleaved' else torch.cat(pair, dim=1)
    return table * (positions != padding_idx)[:, None]
