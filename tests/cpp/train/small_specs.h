#pragma once
// Training configurations that take milliseconds.

#include "phasor/train.h"
#include "results.h"

namespace phasor::test {

/// The task copy with a model small enough for finite differences of all weights.
inline TrainConfig small_spec(const EncodingConfig& encoding, Params extra_params = {}) {
  Params fields = {{"layers", 2.0},           {"heads", 2.0},           {"embed_dim", 8.0},
                   {"dim_feedforward", 12.0}, {"sequence_length", 7.0}, {"batch_size", 3.0},
                   {"warmup_steps", 2.0},     {"steps", 20.0},          {"lr", 0.01}};
  for (const auto& [name, value] : extra_params) fields[name] = value;
  return value_of(make_train_config("copy", fields, encoding));
}

inline std::unique_ptr<Trainer> small_trainer(const EncodingConfig& encoding,
                                              Params extra_params = {}) {
  return value_of(Trainer::create(small_spec(encoding, std::move(extra_params))));
}

inline std::string refusal_of(const Status& status) {
  return status.ok() ? "not refused" : status.message();
}

inline void expect_same(const OrderedMap<Tensor>& a, const OrderedMap<Tensor>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) EXPECT_EQ(tensor.data, b.at(name).data) << name;
}

}  // namespace phasor::test
