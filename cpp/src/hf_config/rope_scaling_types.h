#pragma once
// Converts the keys of each rope_scaling type to encoding parameters.

#include <string_view>

#include "hf_config/config_map.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeReader {
  ConfigMap& model;
  ConfigMap& rope;
  const ConfigOptions& options;
  Params& params;
  Params keys{};  ///< config.json path of each parameter, for error messages
  int pairs = 0;  ///< number of rotary pairs, if the file specifies it

  void set(const char* name, double value, const ConfigMap& from, const char* key);
  void set_choice(const char* name, const char* choice);
  void set_list(const char* name, const char* key, const Tensor& list);
  /// Sets the parameter if the key is present, and returns whether it is.
  bool set_from(const char* name, ConfigMap& from, const char* key);
};

// Set a family's default scaling, for files without a RoPE dictionary.
void set_gpt_oss_scaling(RopeReader& r);
void set_apertus_scaling(RopeReader& r);
void set_cwm_scaling(RopeReader& r);
void set_gemma4_scaling(RopeReader& r);
void set_higgs_scaling(RopeReader& r);
void set_lfm3_scaling(RopeReader& r);
void set_ministral3_scaling(RopeReader& r);
void set_mistral4_scaling(RopeReader& r);

/// Reads a number in (0, maximum]. Returns nullptr if the key is missing.
const double* read_positive(ConfigMap& from, const char* key, double maximum);
/// Reads a multiple of `divisor` (1 or 2) from 2 to `maximum`.
const double* read_multiple_of(ConfigMap& from, const char* key, int divisor, double maximum);

struct RopeType {
  const char* scaling;  ///< value of the parameter `scaling`
  void (*read)(RopeReader&) = nullptr;
};

/// Finds the scaling type that the dictionary names. The type is `default` if the dictionary names
/// none and all its keys are independent of the type.
Status find_rope_type(ConfigMap& rope, std::string_view& name, const RopeType*& out);

}  // namespace phasor
