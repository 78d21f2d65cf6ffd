#pragma once
// Attention by its formula, in double and without tiles, panels or lanes. Positions enter only
// through the oracle of the encoding (oracle.h); only learned values drawn from a seed come from
// the library.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "learned.h"
#include "oracle.h"
#include "phasor/attention.h"
#include "phasor/encoding_ops.h"
#include "phasor/registry.h"

namespace phasor::test {

/// Expected results of `attention`, each (heads, queries, keys) except the output (heads, queries,
/// v_head_dim).
struct Reference {
  Vector scores, weights, output;
  Vector added;                     ///< the terms that the encoding adds to scores
  Vector sink_weights{};            ///< (heads, queries), 0 without sinks
  bool depends_on_content = false;  ///< whether a term depends on queries and keys
};

inline std::vector<double> whole_positions(double first, int count) {
  std::vector<double> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), first);
  return positions;
}

/// `config` with every learned value provided, as the library draws it.
inline Result<EncodingConfig> given_learned(EncodingConfig config, const EncodingDims& geometry) {
  PHASOR_TRY_ASSIGN(std::unique_ptr<Encoding> encoding, create_encoding(config, geometry));
  for (const auto& [name, value] : learned_values(*encoding)) config.params[name] = value;
  return config;
}

/// For each head, one vector per token.
using Heads = std::vector<std::vector<Vector>>;

Heads heads_of(const Tensor& x);

/// scale * q.k of a query and all keys, (heads, keys).
std::vector<Vector> products_of(const Heads& q, const Heads& k, std::size_t query, double scale);

Heads normalised(const QkNorm& norm, const Tensor& weight, Heads x);

/// Every learned value must be provided in config.encoding (given_learned). Results are NaN if the
/// encoding has no oracle.
Reference reference_attention(const Heads& q, const Heads& k, const Heads& v,
                              const AttentionConfig& config);

inline Reference reference_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                     const AttentionConfig& config) {
  return reference_attention(heads_of(q), heads_of(k), heads_of(v), config);
}

/// reference_attention with learned values drawn from the seed.
inline Result<Reference> formula(const Tensor& q, const Tensor& k, const Tensor& v,
                                 AttentionConfig config) {
  PHASOR_TRY_ASSIGN(config.encoding, given_learned(config.encoding, {.length = k.shape[1],
                                                                     .dim = q.shape[2],
                                                                     .heads = q.shape[0],
                                                                     .v_head_dim = v.shape[2]}));
  return reference_attention(q, k, v, config);
}

/// The tolerance of float32: a score of size s has an error of about 1e-7 s, which the softmax
/// passes on.
double allowed(const Reference& result);

}  // namespace phasor::test
