#pragma once
// What the families of attention and of its gradients share: masks, scales, sizes, inputs drawn
// from seeds, and encodings.

#include <optional>

#include "golden_case.h"

namespace golden {

/// "bidir", "causal", each perhaps with "+pad", which says that key_keep hides keys.
void read_mask(Case& c, phasor::AttentionConfig& config);
/// Always given to the library, because some encodings (T5) have a scale of their own.
void read_scale(Case& c, int head_dim, std::optional<double>& scale);

struct Inputs {
  phasor::Tensor q, k, v;  // [head, token, channel]
};
/// q, k and v, given or drawn, and compared with what the params say about their sizes.
Inputs read_inputs(Case& c);

/// Weights and output of attention, whole rows at once and streaming; where it has a name, the bias
/// too.
void expect_attention(Case& c, const phasor::Tensor& q, const phasor::Tensor& k,
                      const phasor::Tensor& v, phasor::AttentionConfig config, const char* bias);

/// The scores of all pairs, those that the mask hides too, and then the same.
void expect_scores_and_attention(Case& c, const phasor::Tensor& q, const phasor::Tensor& k,
                                 const phasor::Tensor& v, const phasor::AttentionConfig& config);

/// Whether q, k and v are drawn from seeds.
bool drawn(const Case& c);
/// The input, or where params have seed_<name>, numbers drawn from splitmix64: multiples of 1/256
/// in [-2, 2), times `multiplier`, a param. The shape is this one, unless params have <name>_shape.
phasor::Tensor given_or_drawn(Case& c, const std::string& name, std::vector<int> shape,
                              const std::string& multiplier);

// Encodings from the params and inputs of a case.
phasor::EncodingConfig rope(Case& c, const char* layout);
phasor::EncodingConfig alibi(Case& c);
phasor::EncodingConfig t5(Case& c);
phasor::EncodingConfig plain_b(Case& c);
phasor::EncodingConfig shaw(Case& c);

}  // namespace golden
