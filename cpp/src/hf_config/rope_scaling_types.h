#pragma once
// Conversion of the keys of a config.json into parameters of the encoding, by type of
// rope_scaling.

#include <string_view>

#include "hf_config/config_map.h"
#include "phasor/hf_config.h"

namespace phasor {

struct RopeReader {
  ConfigMap& model;
  ConfigMap& rope;
  const ConfigOptions& options;
  Params& params;
  Params keys{};  ///< by parameter: the path of the key it came from, a text that sentences name

  void set(const char* name, double value, const ConfigMap& from, const char* key);
  void set_word(const char* name, const char* word);
  void set_list(const char* name, const char* key, const Tensor& list);
  /// Sets the parameter if the key is there.
  bool take(const char* name, ConfigMap& from, const char* key);
};

// The scaling of two families whose files have no rope_scaling.
void scale_gpt_oss(RopeReader& r);
void scale_apertus(RopeReader& r);

/// Numbers of a kind, rejected under the path of their key: above 0 and at most `most`, ...
const double* positive(ConfigMap& from, const char* key, double most);
/// ... or multiples of 1 ("a whole") or 2 ("an even") from 2 to `most`.
const double* multiple(ConfigMap& from, const char* key, int of, double most);

/// One type of rope_scaling or rope_parameters.
struct RopeType {
  const char* scaling;                  ///< of the encoding
  void (*read)(RopeReader&) = nullptr;  ///< its keys
};

/// The type of the dictionary; `default` if it needs no name.
Status find_rope_type(ConfigMap& rope, std::string_view& name, const RopeType*& out);

}  // namespace phasor
