#pragma once
// Shared by the families of attention and of its gradients: masks, scales, sizes, inputs drawn
// from seeds, and encodings.

#include <optional>

#include "golden_case.h"

namespace golden {

/// "bidir", "causal", each perhaps with "+pad", which says that key_keep hides keys.
void read_mask(Case& c, phasor::AttentionConfig& config);
/// Always passed to the library, because some encodings (T5) have a different default scale.
void read_scale(Case& c, int head_dim, std::optional<double>& scale);

struct Inputs {
  phasor::Tensor q, k, v;  // [head, token, channel]
};
/// q, k and v, from the case or drawn, with the sizes of its params checked.
Inputs read_inputs(Case& c);

/// Weights and output of attention, by whole rows and streaming; the bias too if it has a name.
void expect_attention(Case& c, const phasor::Tensor& q, const phasor::Tensor& k,
                      const phasor::Tensor& v, phasor::AttentionConfig config, const char* bias);

/// The same after the scores of all pairs, including masked ones.
void expect_scores_and_attention(Case& c, const phasor::Tensor& q, const phasor::Tensor& k,
                                 const phasor::Tensor& v, const phasor::AttentionConfig& config);

/// Whether q, k and v are drawn from seeds.
bool has_seeds(const Case& c);
/// The input, or with the param seed_<name> numbers drawn from splitmix64: multiples of 1/256 in
/// [-2, 2), times the param `multiplier`. The shape is this one, unless params have <name>_shape.
phasor::Tensor given_or_drawn(Case& c, const std::string& name, std::vector<int> shape,
                              const std::string& multiplier);

// Encodings from the params and inputs of a case.
phasor::EncodingConfig rope(Case& c, const char* layout);
phasor::EncodingConfig alibi(Case& c);
phasor::EncodingConfig t5(Case& c);
phasor::EncodingConfig plain_b(Case& c);
phasor::EncodingConfig shaw(Case& c);

}  // namespace golden
