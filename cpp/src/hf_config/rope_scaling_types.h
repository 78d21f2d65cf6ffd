#pragma once
// One reading of a config.json: what goes from its keys into parameters of the encoding, and how
// the types of rope_scaling do that.

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
  int pairs = 0;  ///< that rotate, where the file says it

  void set(const char* name, double value, const ConfigMap& from, const char* key);
  void set_word(const char* name, const char* word);
  void set_list(const char* name, const char* key, const Tensor& list);
  /// Sets the parameter if the key is there.
  bool take(const char* name, ConfigMap& from, const char* key);
};

// The scaling of families whose file has none.
void scale_gpt_oss(RopeReader& r);
void scale_apertus(RopeReader& r);
void scale_cwm(RopeReader& r);
void scale_gemma4(RopeReader& r);
void scale_higgs(RopeReader& r);
void scale_lfm3(RopeReader& r);
void scale_ministral3(RopeReader& r);
void scale_mistral4(RopeReader& r);

/// Numbers of a kind, rejected under the path of their key: above 0 and at most `most`, ...
const double* positive(ConfigMap& from, const char* key, double most);
/// ... or multiples of 1 ("a whole") or 2 ("an even") from 2 to `most`.
const double* multiple(ConfigMap& from, const char* key, int of, double most);

/// One type of rope_scaling or rope_parameters.
struct RopeType {
  const char* scaling;                  ///< of the encoding
  void (*read)(RopeReader&) = nullptr;  ///< its keys
};

/// The type that the dictionary names, `default` where it names none but needs none.
Status find_rope_type(ConfigMap& rope, std::string_view& name, const RopeType*& out);

}  // namespace phasor
