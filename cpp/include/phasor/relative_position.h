#pragma once
// Building blocks of relative encodings, for comparison with other libraries.

#include <span>
#include <vector>

#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

/// The slopes of ALiBi (Press et al. 2022). If the number of heads H is a power of two:
/// 2^(-bias_max h / H) with h = 1 .. H. Otherwise: the slopes for the next lower power of two, then
/// every second slope for twice that number. MPT has an equivalent formula. Rejects numbers of
/// heads below 1, and values of bias_max outside 0 to 1000.
Result<std::vector<double>> alibi_slopes(int heads, double bias_max = 8);

/// T5's bucket for each relative position, key - query (Raffel et al. 2019). Rejects a num_buckets
/// below 2 (4 if bidirectional), and a max_distance that does not exceed the number of distances
/// with separate buckets.
Result<std::vector<int>> t5_bucket(std::span<const int> relative_position, int num_buckets,
                                   int max_distance, bool bidirectional);

/// DeBERTa's logarithmic buckets of query - key (He et al. 2021, versions 2 and 3), an odd
/// function. Rejects distances whose bucket is above 2147483647.
Result<std::vector<int>> deberta_log_bucket(std::span<const int> relative_position, int bucket_size,
                                            int max_position);

/// Returns the row of Shaw's tables for distance = key - query: clip(distance, -clip, clip) + clip.
/// `distance` must be finite, and `clip` from 0 to 1048576.
Result<int> shaw_index(double distance, int clip);

/// Transformer-XL's rel_shift: row r of x (queries, keys) moves left by queries - 1 - r. As in the
/// original code, a 0 and the beginning of the next row fill the right end; a causal mask hides
/// them.
Result<Tensor> relative_shift(const Tensor& x);

/// CoPE's bias (Golovneva et al. 2024). q (heads, queries, dim), gate_logits (heads, queries, keys)
/// with a large negative number where a key is hidden, pos_emb (dim, npos). Returns (heads,
/// queries, keys): q_i . e[p_ij], not divided by sqrt(dim).
Result<Tensor> cope_bias(const Tensor& q, const Tensor& gate_logits, const Tensor& pos_emb);

}  // namespace phasor
