"""Softmax attention with a positional encoding, and a layer of it: the formulas, in float64 and without tiles."""

from typing import NamedTuple, Optional

import numpy as np

from encoding import Encoding


class AttentionResult(NamedTuple):
    output: np.ndarray  # (heads, queries, v_head_dim); of a layer (tokens, dim)
    weights: np.ndarray  # (heads, queries, keys)
    scores: np.ndarray  # scaled, biased and masked
    sink_weights: Optional[np.ndarray]  # (heads, queries), the weight of the sink


def softmax(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def attention(
    q, k, v, encoding=None, *, mask='none', window=0, scale=None, sinks=None,
    query_positions=None, key_positions=None, query_segment_ids=None, key_segment_ids=None, attn_mask=True, attn_bias=0.0,
    **token_tensors,
):  # fmt: skip
    """Attention of q (heads, queries, head_dim) over k and v (heads, keys, head_dim).

    mask: 'none' or 'causal' by position. window: keys at this distance or further are masked; 0: none are. sinks (heads,): one more
    logit in the softmax of each row. query_segment_ids and key_segment_ids: the text of each token, where several are packed. attn_mask and
    attn_bias broadcast to (heads, queries, keys): False masks a key, a bias is added to the scores. token_tensors: those that the encoding reads, such as log_gates (heads, keys).
    """
    encoding = encoding or Encoding()
    query_positions = np.arange(q.shape[1], dtype=float) if query_positions is None else query_positions
    key_positions = np.arange(k.shape[1], dtype=float) if key_positions is None else key_positions
    scale = scale or encoding.logit_scale(q.shape[-1])
    at = (query_positions, key_positions)
    scores = scale * encoding.dot_product(q, k, *at, **token_tensors)
    scores = scores + encoding.content_bias(q, k, *at, scale, **token_tensors)
    hidden = encoding.hidden(*at)
    i, j = np.asarray(query_positions, float), np.asarray(key_positions, float)
    if mask == 'causal':
        hidden = hidden | (j > i[:, None])
    if window > 0:
        hidden = hidden | (abs(j - i[:, None]) >= window)
    if key_segment_ids is not None:
        hidden = hidden | (np.asarray(key_segment_ids) != np.asarray(query_segment_ids)[:, None])
    hidden = hidden | np.logical_not(attn_mask)
    scores = scores + attn_bias
    scores = np.where(hidden, -np.inf, scores)
    weights, sink_weights = softmax(scores), None
    if sinks is not None:
        logits = np.broadcast_to(np.reshape(sinks, (-1, 1, 1)), (*scores.shape[:-1], 1))
        weights = softmax(np.concatenate([scores, logits], axis=-1))
        weights, sink_weights = weights[..., :-1], weights[..., -1]
    output = weights @ v + encoding.value_bias(weights, *at)
    return AttentionResult(output, weights, scores, sink_weights)


def add_positions(x, encoding, positions):
    """Embeddings x (tokens, dim) with the position table of the encoding added, if it has one."""
    x = np.array(x, float)
    table = encoding.position_table(positions, x.shape[1])
    x[:, : table.shape[1]] += table
    return x


def self_attention(x, encoding=None, *, heads, positions=None, projections=None, **options):
    """A layer: embeddings x (tokens, dim), projected to q, k and v by `projections` (3, dim, dim), default: the identity."""
    encoding = encoding or Encoding()
    positions = np.arange(len(x), dtype=float) if positions is None else positions
    x = add_positions(x, encoding, positions)
    projections = 3 * [np.eye(x.shape[1])] if projections is None else projections
    q, k, v = ((x @ matrix).reshape(len(x), heads, -1).swapaxes(0, 1) for matrix in np.asarray(projections, float))
    options.update(encoding.token_tensors(x, heads))
    result = attention(q, k, v, encoding, query_positions=positions, key_positions=positions, **options)
    return result._replace(output=result.output.swapaxes(0, 1).reshape(len(x), -1))
