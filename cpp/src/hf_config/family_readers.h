#pragma once

#include "hf_config/config_map.h"
#include "hf_config/family.h"
#include "phasor/hf_config.h"

namespace phasor {

struct ConfigReader {
  ConfigMap& model;
  const ConfigOptions& options;
  ConfigEncoding& out;
  Params keys{};  ///< config.json path of each parameter, for error messages
  int heads = 1;

  void set(const char* name, ParamValue value);
  void set(const char* name, const char* choice);
  /// Returns the value of a numeric parameter. The parameter must be set.
  double& numeric_param(const char* name);
  /// Sets a parameter to the value of a key. The value -1 is replaced with 0, which means none.
  void set_from(const char* name, const KeyWithDefault& from);
  /// Returns the value of `alias` or of `key`, or `default_value` if both are missing.
  double get_with_alias(const char* key, const char* alias, double default_value);
  /// Validates the encoding. Error messages name keys of config.json, not parameters.
  Status validate();
};

Status read_alibi(ConfigReader& r, const Family& family);
Status read_axial(ConfigReader& r, const Family& family);
Status read_bloom(ConfigReader& r, const Family& family);
Status read_deberta(ConfigReader& r, const Family& family);
Status read_falcon(ConfigReader& r, const Family& family);
Status read_gpt2(ConfigReader& r, const Family& family);
Status read_gpt_bigcode(ConfigReader& r, const Family& family);
Status read_learned(ConfigReader& r, const Family& family);
Status read_mpnet(ConfigReader& r, const Family& family);
Status read_mpt(ConfigReader& r, const Family& family);
Status read_none(ConfigReader& r, const Family& family);
Status read_patches(ConfigReader& r, const Family& family);
Status read_relative_key(ConfigReader& r, const Family& family);
Status read_sinusoids(ConfigReader& r, const Family& family);
Status read_t5(ConfigReader& r, const Family& family);
Status read_transformer_xl(ConfigReader& r, const Family& family);

Status add_tower_layers(const Params& config, ConfigMap& model, const Family& family, int count,
                        std::vector<ConfigLayer>& out);

/// Returns an error such as "relative_attention: false; expected true" for a key of `model`, or an
/// error that the key is missing.
Status reject_key(const ConfigMap& model, std::string_view key, std::string_view problem,
                  std::string_view detail = {});

}  // namespace phasor
