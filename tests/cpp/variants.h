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
  std::vector<const EncodingInfo*> result;
  for (const EncodingInfo* type : phasor::encodings()) {
    if (type->tokens.empty()) result.push_back(type);
  }
  return result;
}

struct Variant {
  const EncodingInfo* type = nullptr;
  EncodingConfig config;
  std::string name;
};

inline std::vector<Variant> variants(const EncodingInfo& type) {
  const std::string id(type.id);
  const EncodingConfig defaults{.id = id, .params = {}};
  std::vector<Variant> result = {{&type, defaults, id}};
  const auto add = [&](const std::string& param, const ParamValue& value,
                       const std::string& label) {
    EncodingConfig config = defaults;
    config.params[param] = value;
    result.push_back({&type, config, id + " " + param + "=" + label});
  };
  for (const ParamInfo& spec : type.params) {
    const std::string name(spec.name);
    if (spec.kind == ParamKind::boolean)
      add(name, spec.default_value == 0, spec.default_value == 0 ? "true" : "false");
    const std::vector<std::string_view> words = spec.choices.list();
    for (std::size_t w = 1; w < words.size(); ++w)
      add(name, std::string(words[w]), std::string(words[w]));
  }
  return result;
}

inline std::vector<Variant> every_variant() {
  std::vector<Variant> result;
  for (const EncodingInfo* type : encodings()) {
    for (Variant& variant : variants(*type)) {
      // remap_test.cpp covers remap of rope, which requires a causal mask.
      const auto created = create_encoding(variant.config, {.dim = 8, .heads = 2});
      if (!created.ok() || !(*created)->causal_only()) result.push_back(std::move(variant));
    }
  }
  return result;
}

/// The variants that a layer of this dim accepts: a table with a fixed dim (nerf) may not fit.
inline std::vector<Variant> every_variant_of_dim(int dim) {
  std::vector<Variant> accepted;
  for (Variant& variant : every_variant()) {
    const auto encoding = create_encoding(variant.config, {.dim = dim});
    if (!encoding.ok() || variant.type->injection != Injection::input ||
        (*encoding)->as_table()->table_dim(dim) <= dim)
      accepted.push_back(std::move(variant));
  }
  return accepted;
}

inline bool accepts(const Variant& variant, const EncodingDims& geometry) {
  return create_encoding(variant.config, geometry).ok();
}

/// The number of key-value heads: the requested one, or `heads` for an encoding whose keys cannot
/// be shared.
inline int heads_of_keys(const EncodingConfig& config, int heads, int requested_heads) {
  const auto created = [&](int kv_heads) {
    return create_encoding(config, {.dim = 8, .heads = heads, .kv_heads = kv_heads}).ok();
  };
  return created(heads) && !created(requested_heads) ? heads : requested_heads;
}

}  // namespace phasor::test
