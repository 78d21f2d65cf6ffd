"""Measures of position tables, of matrices of attention and of layers, in float64."""

import numpy as np

from attention import add_positions, attention, softmax


def row_similarity(table, metric='cosine'):
    """Cosines or dot products of the rows of table (rows, dim): (rows, rows). A row of zeros has the cosine 0 with every other."""
    if metric == 'cosine':
        norms = np.linalg.norm(table, axis=1, keepdims=True)
        table = table / np.where(norms > 0, norms, 1)
    return table @ table.T


def diagonals(matrix):
    """The diagonals of matrix (tokens, tokens), from the distance 1 - tokens of key and query to tokens - 1."""
    return [np.diagonal(matrix, distance) for distance in range(1 - len(matrix), len(matrix))]


def distance_profile(matrix):
    """Mean, minimum and maximum of each diagonal: (2 tokens - 1, 3)."""
    return np.array([[one.mean(), one.min(), one.max()] for one in diagonals(matrix)])


def principal_components(table, count):
    """Coordinates (rows, count) along the directions of largest variance, and the shares of the variance (count,).

    The sign of a direction is arbitrary: here its largest entry is positive.
    """
    centred = table - table.mean(axis=0)
    _, lengths, directions = np.linalg.svd(centred, full_matrices=False)
    directions = directions[:count]
    largest = np.abs(directions).argmax(axis=1)
    directions = directions * np.sign(directions[np.arange(count), largest])[:, None]
    return centred @ directions.T, lengths[:count] ** 2 / (lengths**2).sum()


def linear_probe(table, ridge=1e-3):
    """The position of each row of table, predicted by a ridge regression that was fitted on every second row: (rows,)."""
    seen, target = table[::2], np.arange(len(table))[::2]
    mean = seen.mean(axis=0)
    centred = seen - mean
    gram = centred.T @ centred + ridge * np.eye(table.shape[1])
    weights = np.linalg.solve(gram, centred.T @ (target - target.mean()))
    return target.mean() + (table - mean) @ weights


def shift_matrix(encoding, dim, shift, sines, cosines):
    """The matrix that moves a row of a sinusoidal table by `shift` positions.

    It rotates each pair of channels (sines[i], cosines[i]) by the angle of that pair at the position `shift`.
    """
    row = encoding.position_table(np.array([float(shift)]), dim)[0]
    radius = np.hypot(row[sines], row[cosines])
    matrix = np.eye(len(row))
    matrix[sines, sines] = matrix[cosines, cosines] = row[cosines] / radius
    matrix[sines, cosines] = row[sines] / radius
    matrix[cosines, sines] = -row[sines] / radius
    return matrix


def shift_residual(table, matrix, shift):
    """The largest difference of a row of table from the matrix times the row `shift` positions before it."""
    back, forward = max(-shift, 0), max(shift, 0)
    before, after = table[back : len(table) - forward], table[forward : len(table) - back]
    return np.abs(after - before @ matrix.T).max()


def permutation_error(before, after, order):
    """The largest difference of each token's output after a permutation from its output before: (tokens,).

    order (tokens,): for each place the index of the token there.
    """
    return np.abs(after - before[order]).max(axis=1)


def score_chain(x, encoding, *, heads, head, query, positions, mask='none'):
    """Each step of one row of attention, for embeddings x (tokens, dim) whose heads are queries and keys: (6, keys).

    The steps: product, scaled product, bias, score, exponential, weight.
    """
    x = add_positions(x, encoding, positions)
    q = k = x.reshape(len(x), heads, -1).swapaxes(0, 1)
    scale = encoding.logit_scale(q.shape[-1])
    product = encoding.dot_product(q, k, positions, positions)[head, query]
    bias = encoding.content_bias(q, k, positions, positions, scale)[head, query]
    score = scale * product + bias
    if mask == 'causal':
        score = np.where(positions <= positions[query], score, -np.inf)
    return np.stack([product, scale * product, bias, score, np.exp(score - score.max()), softmax(score)])


def attention_map(x, encoding, rows, columns, cell, prefix_length=0, **options):
    """Means of attention weights over cells of `cell` queries and keys, for queries and keys x (1, tokens, dim).

    rows, columns: first query or key of the map, and the one after the last. The weights of one row of cells are in memory at a time.
    prefix_length: where it is not 0, a query sees so many first keys, its own and those before (a prefix language model).
    """
    positions = np.arange(x.shape[1], dtype=float)
    means = []
    for first in range(rows[0], rows[1], cell):
        end = min(first + cell, rows[1])
        if prefix_length:
            options['attn_mask'] = (positions < prefix_length) | (positions <= positions[first:end, None])
        result = attention(x[:, first:end], x, x, encoding, query_positions=positions[first:end], key_positions=positions, **options)
        strip = result.weights[0, :, columns[0] : columns[1]].mean(axis=0)
        means.append([strip[at : at + cell].mean() for at in range(0, len(strip), cell)])
    return np.array(means)


def mean_by_distance(weights):
    """The mean attention weight so many tokens back, for weights (heads, tokens, tokens): (heads, tokens)."""
    return np.array([[np.diagonal(one, -distance).mean() for distance in range(len(one))] for one in weights])


def psnr(picture, target):
    """Peak signal-to-noise ratio in dB, for numbers from 0 to 1."""
    return -10 * np.log10(np.mean((picture - target) ** 2))
