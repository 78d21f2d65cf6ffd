#pragma once
// The list of config fields, used to read, write and describe configs.

#include "phasor/train.h"

namespace phasor {

namespace field {

constexpr ParamInfo integer(const char* name, int min, int max, const char* unit,
                            const char* summary) {
  return ParamInfo::integer(name, 0, min, max, unit, summary);
}
constexpr ParamInfo real(const char* name, double min, double max, const char* unit,
                         const char* summary) {
  return ParamInfo::real(name, 0, min, max, unit, summary);
}

}  // namespace field

template <class Config, class Visit>
void for_each_field(Config& s, Visit&& visit) {
  using field::integer;
  using field::real;
  constexpr int kMaxPositions = 1048576;
  visit(ParamInfo::integer("seed", 0, 0, 2147483647, "",
                           "Seed for the initial weights and the batches"),
        s.seed);
  visit(integer("layers", 1, 64, "layers", "Number of layers"), s.layers);
  visit(integer("heads", 1, 64, "heads", "Number of attention heads; must divide embed_dim"),
        s.heads);
  visit(integer("embed_dim", 1, 4096, "channels", "Channels of the residual stream"), s.embed_dim);
  visit(integer("dim_feedforward", 0, 16384, "units",
                "Hidden units of the feed-forward layer; 0: 4 * embed_dim"),
        s.dim_feedforward);
  visit(ParamInfo::choice("norm", "layer_norm, rms_norm", "Norm before each block"), s.norm);
  visit(ParamInfo::choice("activation", "gelu, gelu_tanh, relu, swiglu",
                          "Activation of the feed-forward layer"),
        s.activation);
  visit(ParamInfo::boolean("causal", false, "Causal mask"), s.causal);
  visit(ParamInfo::boolean("sinks", false,
                           "Attention sinks: a learned logit per head in the softmax of each row"),
        s.sinks);
  visit(ParamInfo::boolean("qk_norm", false,
                           "RMS norm of the queries and keys of each head, with learned weights"),
        s.qk_norm);
  visit(ParamInfo::boolean("tie_word_embeddings", false,
                           "The output layer shares the embedding weights"),
        s.tie_word_embeddings);
  visit(real("scale", -1e6, 1e6, "",
             "Factor applied to q.k; default: the encoding's scale, or 1 / sqrt(head_dim)"),
        s.scale);
  visit(real("position_offset", 0, 1e6, "tokens", "Position of the first token"),
        s.position_offset);
  visit(integer("randomized_positions", 0, kMaxPositions, "positions",
                "Number of positions to draw from in each step; 0: consecutive positions"),
        s.randomized_positions);
  visit(
      real("table_init_std", 0, 100, "", "Initial standard deviation of a learned position table"),
      s.table_init_std);
  visit(integer("batch_size", 1, 65536, "items", "Batch size"), s.batch_size);
  visit(integer("sequence_length", 1, 65536, "tokens", "Tokens per item"), s.sequence_length);
  visit(integer("min_sequence_length", 0, 65536, "tokens",
                "Minimum random sequence length; 0: always sequence_length"),
        s.min_sequence_length);
  visit(ParamInfo::choice("optimizer", "adamw, sgd", "Optimizer"), s.optimizer);
  visit(integer("steps", 1, 100000000, "steps", "Steps of the learning rate schedule"), s.steps);
  visit(real("lr", 0, 1000, "", "Learning rate after the warm-up"), s.lr);
  visit(integer("warmup_steps", 0, 100000000, "steps", "Warm-up steps"), s.warmup_steps);
  visit(real("min_lr_ratio", 0, 1, "",
             "Final learning rate of the cosine schedule, relative to lr; 1: constant"),
        s.min_lr_ratio);
  visit(real("beta1", 0, 0.9999, "", "Decay rate of the mean gradient"), s.beta1);
  visit(real("beta2", 0, 0.999999, "", "Decay rate of the mean squared gradient"), s.beta2);
  visit(real("eps", 1e-15, 1, "", "Added to the square root of the mean squared gradient"), s.eps);
  visit(real("weight_decay", 0, 1, "", "Decoupled weight decay of matrices"), s.weight_decay);
  visit(real("momentum", 0, 0.9999, "", "Momentum of sgd"), s.momentum);
  visit(real("max_grad_norm", 0, 1e9, "", "Maximum gradient norm; 0: no clipping"),
        s.max_grad_norm);
  visit(real("label_smoothing", 0, 0.999, "", "Label smoothing"), s.label_smoothing);
  visit(real("bias_table_lr_scale", 0, 1000, "", "Learning rate multiplier for bias tables"),
        s.bias_table_lr_scale);
  visit(ParamInfo::boolean("portable", false,
                           "Bitwise identical results on every machine, but slower"),
        s.portable);
}

/// Rejects invalid field values, which are possible because callers can set fields directly.
Status check_config(const TrainConfig& config);

/// Returns the fields and the encoding, one per line. Equal configs give equal strings.
std::string serialize_config(const TrainConfig& config);
/// Replaces field names of version 0.1 in a checkpoint's config.
std::string convert_legacy_names(const std::string& text);

}  // namespace phasor
