#pragma once
// Reads the keys of a config.json into encoding parameters, by type of rope_scaling.

#include <string_view>

#include "hf_config/config_map.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeReader {
  ConfigMap& model;
  ConfigMap& rope;
  const ConfigOptions& options;
  Params& params;
  Params keys{};  ///< path of the key of each parameter, for error messages
  int pairs = 0;  ///< number of rotary pairs, if the file specifies the number

  void set(const char* name, double value, const ConfigMap& from, const char* key);
  void set_word(const char* name, const char* word);
  void set_list(const char* name, const char* key, const Tensor& list);
  /// Sets the parameter if the key is present.
  bool take(const char* name, ConfigMap& from, const char* key);
};

// The default scaling of families whose files have none.
void scale_gpt_oss(RopeReader& r);
void scale_apertus(RopeReader& r);
void scale_cwm(RopeReader& r);
void scale_gemma4(RopeReader& r);
void scale_higgs(RopeReader& r);
void scale_lfm3(RopeReader& r);
void scale_ministral3(RopeReader& r);
void scale_mistral4(RopeReader& r);

/// Reads a validated number, rejected under the path of its key: above 0 and at most `maximum`, ...
const double* positive(ConfigMap& from, const char* key, double maximum);
/// ... or a multiple of 1 ("a whole") or 2 ("an even") from 2 to `maximum`.
const double* multiple(ConfigMap& from, const char* key, int of, double maximum);

/// One type of rope_scaling or rope_parameters.
struct RopeType {
  const char* scaling;                  ///< value of the parameter `scaling`
  void (*read)(RopeReader&) = nullptr;  ///< reads the keys of the type
};

/// Finds the type that the dictionary names; `default` if it names none and needs none.
Status find_rope_type(ConfigMap& rope, std::string_view& name, const RopeType*& out);

}  // namespace phasor
