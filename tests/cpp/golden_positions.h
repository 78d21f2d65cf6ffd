#pragma once
// Compares encodings read from a config with values measured in its model.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "golden_case.h"

namespace golden {

/// A message such as "window: 128, measured null".
std::string diff(const std::string& field, const Json& actual, const Json& measured);

/// Keeps the first difference from the measured values.
class PositionCheck {
 public:
  /// `added`: tables added to embeddings; `buckets`: rows of T5's table by distance.
  PositionCheck(const Json& added, const Json& buckets) : added_(added), buckets_(buckets) {}

 protected:
  void fail(const std::string& reason);
  void match(const char* field, const Json& actual, const Json& measured, double tolerance = 1e-6);

  void check_rotary(const Json& layer, const phasor::EncodingConfig& encoding);
  void check_frequencies(const phasor::EncodingConfig& encoding, int dim, const Json& measured,
                         const Json& factor);
  void check_axial(const Json& layer, phasor::EncodingConfig encoding);
  void check_alibi(const Json& layer, const phasor::EncodingConfig& encoding);
  void check_t5(const phasor::EncodingConfig& encoding, const std::string& stack);
  void check_learned(const phasor::EncodingConfig& encoding, double offset,
                     const std::string& stack);
  void check_sinusoidal(const phasor::EncodingConfig& encoding, double offset,
                        const std::string& stack);
  /// The value of a parameter, or 0 if it is missing.
  static double number(const phasor::EncodingConfig& encoding, const char* name);

  std::string prefix_{}, problem_{};  ///< prefix of messages (the layer), and the first difference
  const Json& added_;

 private:
  const Json* find_table(const char* kind, const std::string& stack) const;
  std::vector<float> rotate_unit_vector(const phasor::EncodingConfig& encoding, int dim,
                                        int channel, const std::vector<double>& at);
  static int rotary_head(const Json& layer);

  const Json& buckets_;
};

}  // namespace golden
