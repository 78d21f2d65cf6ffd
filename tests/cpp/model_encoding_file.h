#pragma once
// What is read from files of models with any positions.

#include "model_file.h"
#include "phasor/hf_config.h"

namespace phasor::test {

inline ModelEncoding model(const Params& file, const ModelEncodingOptions& options = {},
                           int width = 64, int heads = 1) {
  ModelEncoding out = value_of(model_encoding(file, options));
  // what is read can be made
  const Status status = create(out.encoding, {.width = width, .heads = heads}).status();
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

inline std::string model_refusal(const Params& file, const ModelEncodingOptions& options = {}) {
  const Result<ModelEncoding> out = model_encoding(file, options);
  EXPECT_FALSE(out.ok());
  return out.status().message();
}

inline double number_or_0(const EncodingConfig& config, const char* name) {
  return config.params.contains(name) ? number(config, name) : 0;
}

}  // namespace phasor::test
