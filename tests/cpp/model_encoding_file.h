#pragma once
// Encodings read from configs with positions of any kind.

#include "model_file.h"
#include "phasor/hf_config.h"

namespace phasor::test {

inline ConfigEncoding model(const Params& file, const ConfigOptions& options = {}, int dim = 64,
                            int heads = 1) {
  ConfigEncoding out = value_of(encoding_from_config(file, options));
  const Status status = create_encoding(out.encoding, {.dim = dim, .heads = heads}).status();
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

inline std::string model_refusal(const Params& file, const ConfigOptions& options = {}) {
  const Result<ConfigEncoding> out = encoding_from_config(file, options);
  EXPECT_FALSE(out.ok());
  return out.status().message();
}

inline double number_or_0(const EncodingConfig& config, const char* name) {
  return config.params.contains(name) ? number(config, name) : 0;
}

}  // namespace phasor::test
