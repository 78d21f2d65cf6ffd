#pragma once
// A model's weights in memory, and the settings that the forward pass needs.

#include <memory>
#include <vector>

#include "kernels/stored_matrix.h"
#include "model/architecture.h"
#include "phasor/attention.h"
#include "phasor/model.h"

namespace phasor::model {

enum class Activation { gelu, gelu_tanh, relu, silu };

/// A linear layer as in torch.nn.Linear. `bias` is empty if the layer has none.
struct Linear {
  kernels::StoredMatrix weight{};
  std::vector<float> bias{};
};

/// A norm over hidden_size. `weight` is empty if there is no norm; an RMS norm has no bias.
struct NormWeights {
  std::vector<float> weight{}, bias{};
  bool empty() const { return weight.empty(); }
};

struct LayerWeights {
  NormWeights pre_attention_norm{}, post_attention_norm{}, attention_residual_norm{},
      pre_mlp_norm{}, post_mlp_norm{}, mlp_residual_norm{};
  Linear q{}, k{}, v{}, qkv{}, o{};
  Linear gate{}, up{}, gate_up{}, down{};
  AttentionConfig attention{};
};

struct Weights {
  const Architecture* architecture = nullptr;
  ModelInfo info{};
  int intermediate_size = 0, embedding_size = 0;
  double norm_eps = 0;
  bool is_parallel = false, is_gated = false;
  Activation activation = Activation::gelu;
  double logit_cap = 0;  ///< 0: none

  kernels::StoredMatrix embedding{}, token_types{};
  /// The position table that is added to the embeddings
  std::optional<EncodingConfig> position_table{};
  int max_positions = 0;  ///< maximum number of tokens; 0: no limit
  /// Maximum length of a cache, because tokens beyond it would change the rotary frequencies of all
  /// keys; 0: no limit
  int cacheable_length = 0;
  NormWeights embedding_norm{};
  Linear project_in{}, project_out{};
  std::vector<LayerWeights> layers{};
  NormWeights last_norm{};
  Linear head{}, head_dense{};  ///< a tied head has no separate weight, but may have a bias
  NormWeights head_norm{};
};

std::unique_ptr<Model> create_model(std::unique_ptr<const Weights> weights);

}  // namespace phasor::model
