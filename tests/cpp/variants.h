#pragma once
// The settings of an encoding to test: all defaults, then every other choice and every other
// boolean, one at a time.

#include <string>
#include <vector>

#include "phasor/registry.h"

namespace phasor::test {

/// Replaces phasor::encodings() by the encodings that need no tensors of tokens. The others
/// (forgetting, path, rope_selective) have separate tests, with token_reference.h.
inline std::vector<const EncodingInfo*> encodings() {
  std::vector<const EncodingInfo*> all;
  for (const EncodingInfo* type : phasor::encodings()) {
    if (type->tokens.empty()) all.push_back(type);
  }
  return all;
}

struct Variant {
  const EncodingInfo* type = nullptr;
  EncodingConfig config;
  std::string name;
};

inline std::vector<Variant> variants(const EncodingInfo& type) {
  const std::string id(type.id);
  const EncodingConfig defaults{.id = id, .params = {}};
  std::vector<Variant> all = {{&type, defaults, id}};
  const auto add = [&](const std::string& param, const ParamValue& value, const std::string& word) {
    EncodingConfig config = defaults;
    config.params[param] = value;
    all.push_back({&type, config, id + " " + param + "=" + word});
  };
  for (const ParamInfo& spec : type.params) {
    const std::string name(spec.name);
    if (spec.kind == ParamKind::boolean)
      add(name, spec.default_value == 0, spec.default_value == 0 ? "true" : "false");
    const std::vector<std::string_view> words = spec.choices.list();
    for (std::size_t w = 1; w < words.size(); ++w)
      add(name, std::string(words[w]), std::string(words[w]));
  }
  return all;
}

inline std::vector<Variant> every_variant() {
  std::vector<Variant> all;
  for (const EncodingInfo* type : encodings()) {
    for (Variant& variant : variants(*type)) {
      // remap_test.cpp covers remap of rope, which requires a causal mask.
      const auto created = create_encoding(variant.config, {.dim = 8, .heads = 2});
      if (!created.ok() || !(*created)->causal_only()) all.push_back(std::move(variant));
    }
  }
  return all;
}

/// The variants that a layer of this dim accepts: a table with a fixed dim (nerf) may not fit.
inline std::vector<Variant> every_variant_of_dim(int dim) {
  std::vector<Variant> fitting;
  for (Variant& variant : every_variant()) {
    const auto encoding = create_encoding(variant.config, {.dim = dim});
    if (!encoding.ok() || variant.type->injection != Injection::input ||
        (*encoding)->as_table()->table_dim(dim) <= dim)
      fitting.push_back(std::move(variant));
  }
  return fitting;
}

inline bool accepts(const Variant& variant, const EncodingDims& geometry) {
  return create_encoding(variant.config, geometry).ok();
}

/// The number of key-value heads: the requested one, or `heads` for an encoding whose keys cannot
/// be shared.
inline int heads_of_keys(const EncodingConfig& config, int heads, int requested) {
  const auto created = [&](int kv_heads) {
    return create_encoding(config, {.dim = 8, .heads = heads, .kv_heads = kv_heads}).ok();
  };
  return created(heads) && !created(requested) ? heads : requested;
}

}  // namespace phasor::test
