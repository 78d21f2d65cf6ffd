#pragma once
// Configs as keys and values, and the rotary encodings read from them.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "phasor/hf_config.h"
#include "phasor/registry.h"
#include "results.h"

namespace phasor::test {

inline std::string word(const char* text) { return text; }
inline Tensor list(std::vector<float> values) {
  const int count = static_cast<int>(values.size());
  return {{count}, std::move(values)};
}

inline EncodingConfig read(const Params& file, const ConfigOptions& options = {}, int dim = 128) {
  EncodingConfig out = value_of(rope_from_config(file, options));
  const Status status = create_encoding(out, {.dim = dim}).status();
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

inline std::string refusal(const Params& file, const ConfigOptions& options = {}) {
  const Result<EncodingConfig> out = rope_from_config(file, options);
  EXPECT_FALSE(out.ok());
  return out.status().message();
}

inline double number(const EncodingConfig& config, const std::string& name) {
  return std::get<double>(config.params.at(name));
}
inline std::string text(const EncodingConfig& config, const std::string& name) {
  return std::get<std::string>(config.params.at(name));
}

}  // namespace phasor::test
