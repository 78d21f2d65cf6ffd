#pragma once
// Masks, scales, sizes, encodings and inputs drawn from seeds, shared by the families of attention
// and its gradients.

#include <optional>

#include "golden_case.h"

namespace golden {

/// Reads "bidir" or "causal", each with an optional "+pad" if key_keep hides keys.
void read_mask(Case& c, phasor::AttentionConfig& config);
/// Reads the scale, which is always passed because some encodings (T5) have a different default.
void read_scale(Case& c, int head_dim, std::optional<double>& scale);

struct Inputs {
  phasor::Tensor q, k, v;  // [head, token, channel]
};
/// Reads or draws q, k and v and compares their sizes with the params.
Inputs read_inputs(Case& c);

/// Compares weights and output of attention, by whole rows and streamed, and the bias if `bias` is
/// the name of an output.
void expect_attention(Case& c, const phasor::Tensor& q, const phasor::Tensor& k,
                      const phasor::Tensor& v, phasor::AttentionConfig config, const char* bias);

/// Also compares the scores of all pairs, including masked ones.
void expect_scores_and_attention(Case& c, const phasor::Tensor& q, const phasor::Tensor& k,
                                 const phasor::Tensor& v, const phasor::AttentionConfig& config);

bool has_seeds(const Case& c);
/// The input, or with the param seed_<name> values drawn from splitmix64: multiples of 1/256 in
/// [-2, 2), times the param `multiplier`. The param <name>_shape overrides `shape`.
phasor::Tensor read_or_draw(Case& c, const std::string& name, std::vector<int> shape,
                            const std::string& multiplier);

// Encodings from the params and inputs of a case.
phasor::EncodingConfig rope(Case& c, const char* layout);
phasor::EncodingConfig alibi(Case& c);
phasor::EncodingConfig t5(Case& c);
phasor::EncodingConfig relative_bias(Case& c);
phasor::EncodingConfig shaw(Case& c);

}  // namespace golden
