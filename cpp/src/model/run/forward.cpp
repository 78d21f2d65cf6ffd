#include "model/run/forward.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/format_error.h"
#include "model/run/attend.h"
#include "model/run/head_measures.h"
#include "nn/activations.h"
#include "phasor/encoding_ops.h"

namespace phasor::model {

void apply_activation(Activation activation, Tensor& x, Tensor& y) {
  const int n = static_cast<int>(x.data.size());
  switch (activation) {
    case Activation::gelu: return nn::gelu(x.data.data(), y.data.data(), n);
    case Activation::gelu_tanh: return nn::gelu_tanh(x.data.data(), y.data.data(), n);
    case Activation::relu: return nn::relu(x.data.data(), y.data.data(), n);
    case Activation::silu: return nn::silu(x.data.data(), y.data.data(), n);
  }
}

Tensor linear(const Linear& layer, const ConstMatrixRef& x, int threads) {
  Tensor y({x.rows, layer.weight.out_features()});
  layer.weight.multiply(x, matrix(y), kernels::best_level(), threads);
  add_bias(layer.bias, y);
  return y;
}

void add_bias(const std::vector<float>& bias, Tensor& y) {
  if (bias.empty()) return;
  for (std::size_t i = 0; i < y.data.size(); ++i) y.data[i] += bias[i % bias.size()];
}

Tensor apply_norm(const Weights& w, const NormWeights& norm, const Tensor& x) {
  if (norm.empty()) return x;
  Tensor y(x.shape);
  std::vector<float> row_statistics(2 * static_cast<std::size_t>(x.shape[0]));
  if (w.architecture->norm == nn::NormKind::rms_norm) {
    nn::rms_norm(matrix(x), norm.weight.data(), w.norm_eps, matrix(y), row_statistics.data());
  } else {
    nn::layer_norm(matrix(x), norm.weight.data(), norm.bias.data(), w.norm_eps, matrix(y),
                   row_statistics.data());
  }
  return y;
}

namespace {

void add(const Tensor& x, Tensor& to) {
  for (std::size_t i = 0; i < x.data.size(); ++i) to.data[i] += x.data[i];
}

Status embed(const Weights& w, std::span<const int> ids, const RunConfig& config,
             const ChangePlan& plan, int past_length, Tensor& x) {
  const int count = static_cast<int>(ids.size());
  x = Tensor({count, w.embedding_size});
  for (int t = 0; t < count; ++t)
    w.embedding.copy_row(ids[static_cast<std::size_t>(t)], matrix(x).row(t));
  if (w.architecture->scales_embedding) {
    const auto factor = static_cast<float>(std::sqrt(static_cast<double>(w.info.hidden_size)));
    for (float& value : x.data) value *= factor;
  }
  if (!w.project_in.weight.empty()) x = linear(w.project_in, matrix(x), config.threads);
  if (!w.token_types.empty()) {
    std::vector<float> row(static_cast<std::size_t>(w.info.hidden_size));
    for (int t = 0; t < count; ++t) {
      const std::vector<int>& type_ids = config.token_type_ids;
      w.token_types.copy_row(type_ids.empty() ? 0 : type_ids[static_cast<std::size_t>(t)],
                             row.data());
      for (std::size_t c = 0; c < row.size(); ++c) matrix(x).row(t)[c] += row[c];
    }
  }
  if (w.position_table && plan.has_table) {
    std::vector<double> indices(ids.size());
    std::iota(indices.begin(), indices.end(), static_cast<double>(past_length));
    PHASOR_TRY_ASSIGN(
        const Tensor table,
        position_table(plan.table_config ? *plan.table_config : *w.position_table,
                       plan.table_positions.map_positions(indices), w.info.hidden_size));
    add(table, x);
  }
  x = apply_norm(w, w.embedding_norm, x);
  return {};
}

void multiply_by_gate(const Weights& w, Tensor& gate, Tensor& up) {
  Tensor active(gate.shape);
  apply_activation(w.activation, gate, active);
  for (std::size_t i = 0; i < up.data.size(); ++i) up.data[i] *= active.data[i];
}

Tensor feed_forward(const Weights& w, const LayerWeights& block, const Tensor& x, int threads) {
  Tensor up;
  if (!block.gate_up.weight.empty()) {
    Tensor gate_up = linear(block.gate_up, matrix(x), threads);
    const int rows = x.shape[0], inner = w.intermediate_size;
    Tensor gate({rows, inner});
    up = Tensor({rows, inner});
    for (int r = 0; r < rows; ++r) {
      const float* row = matrix(gate_up).row(r);
      std::copy_n(row, inner, matrix(gate).row(r));
      std::copy_n(row + inner, inner, matrix(up).row(r));
    }
    multiply_by_gate(w, gate, up);
  } else {
    up = linear(block.up, matrix(x), threads);
    if (w.is_gated) {
      Tensor gate = linear(block.gate, matrix(x), threads);
      multiply_by_gate(w, gate, up);
    } else {
      Tensor active(up.shape);
      apply_activation(w.activation, up, active);
      up = std::move(active);
    }
  }
  return linear(block.down, matrix(up), threads);
}

}  // namespace

Status forward(const Weights& w, std::span<const int> ids, const RunConfig& config,
               const ChangePlan& plan, const RequestedHeads& requested_heads, LayerCaches* caches,
               ModelOutput& out, Tensor& x) {
  PHASOR_TRY(embed(w, ids, config, plan, caches != nullptr ? caches->length : 0, x));
  for (std::size_t n = 0; n < w.layers.size(); ++n) {
    const LayerWeights& block = w.layers[n];
    if (config.output_hidden_states) out.hidden_states.push_back(x);
    const bool is_last = requested_heads.layer == static_cast<int>(n);
    const Tensor normed = apply_norm(w, block.pre_attention_norm, x);
    Projections projections;
    PHASOR_TRY(project(w, block, normed, config.threads, projections));
    if (is_last && requested_heads.states != nullptr)
      return compute_query_key_states(w.info, plan.layers[n], projections.views,
                                      *requested_heads.states);
    if (requested_heads.output_measures) {
      PHASOR_TRY(measure_heads(w.info, plan.layers[n], projections.views, ids, static_cast<int>(n),
                               *out.head_measures));
    }
    RequestedOutputs outputs;
    outputs.weights = requested_heads.output_all_layers || is_last;
    outputs.head = requested_heads.head;
    Tensor y, weights;
    PHASOR_TRY(attend(w, block, plan.layers[n], projections.views, config,
                      caches != nullptr ? &caches->layers[n] : nullptr, outputs, y, weights));
    if (outputs.weights) out.attentions.push_back(std::move(weights));
    if (is_last && caches == nullptr) return {};
    if (plan.layers[n].skips_attention)
      y = Tensor(x.shape);
    else
      y = apply_norm(w, block.post_attention_norm, y);
    if (w.is_parallel) {
      add(feed_forward(w, block,
                       block.pre_mlp_norm.empty() ? normed : apply_norm(w, block.pre_mlp_norm, x),
                       config.threads),
          y);
      add(y, x);
      continue;
    }
    add(y, x);
    x = apply_norm(w, block.attention_residual_norm, x);
    y = feed_forward(w, block, apply_norm(w, block.pre_mlp_norm, x), config.threads);
    add(apply_norm(w, block.post_mlp_norm, y), x);
    x = apply_norm(w, block.mlp_residual_norm, x);
  }
  x = apply_norm(w, w.last_norm, x);
  if (!w.project_out.weight.empty()) x = linear(w.project_out, matrix(x), config.threads);
  if (config.output_hidden_states) out.hidden_states.push_back(x);
  return check_result("input_ids", x.data, "a hidden state");
}

}  // namespace phasor::model
