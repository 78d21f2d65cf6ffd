// Compares docs/families.json with the table of families. If PHASOR_WRITE_MODELS is set, writes the
// file instead (npm run docs).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/format_error.h"
#include "hf_config/family.h"
#include "hf_config/query_scale.h"

namespace phasor::test {
namespace families_json_test {

using Json = nlohmann::ordered_json;

constexpr const char* kPath = PHASOR_SOURCE_DIR "/docs/families.json";

const char* name_of(RotationRule rule) {
  static constexpr const char* kNames[] = {"alike",    "local_base",  "scaled_local",
                                           "unscaled", "window_only", "window_or_all",
                                           "listed",   "not_cross",   "compressed"};
  return kNames[static_cast<std::size_t>(rule)];
}

const char* name_of(LayerWindows layers) {
  static constexpr const char* kNames[] = {"none",         "typed",     "all",      "later",
                                           "all_switched", "unrotated", "switched", "chunked"};
  return kNames[static_cast<std::size_t>(layers)];
}

const char* name_of(WindowSpan span) {
  static constexpr const char* kNames[] = {"behind", "half", "each_way", "half_each"};
  return kNames[static_cast<std::size_t>(span)];
}

const char* name_of(TransformersVersion source) {
  static constexpr const char* kNames[] = {"none", "earlier", "v4", "v5", "v4_v5"};
  return kNames[static_cast<std::size_t>(source)];
}

// The value or key that sets the score scale; empty for 1 / sqrt(head_dim).
std::string scale_name(const Family& family) {
  if (family.fixed_scale != 0) return to_message(family.fixed_scale);
  static constexpr std::pair<QueryScaleReader, const char*> kScales[] = {
      {read_granite_scale, "attention_multiplier"},
      {read_granite_docling_scale, "attention_multiplier"},
      {read_hyperclovax_scale, "attention_multiplier"},
      {read_gemma_scale, "query_pre_attn_scalar"},
      {read_unit_scale, "1"},
      {read_zamba_scale, "half of head_dim"},
      {read_latent_scale, "mscale_all_dim"},
      {read_mistral4_scale, "mscale_all_dim"},
      {read_falcon_h1_scale, "key_multiplier"},
      {read_muse_scale, "qk_scale_factor"},
      {read_muse_spark_scale, "qk_scale_factor"},
  };
  for (const auto& [scale, word] : kScales) {
    if (family.read_scale == scale) return word;
  }
  return family.read_scale != nullptr ? "own" : "";
}

/// The properties of a family except its names, year and default values.
Json family_form(const Family& family) {
  Json out;
  const auto add = [&](const char* name, const Json& value, const Json& default_value) {
    if (value != default_value) out[name] = value;
  };
  const auto word = [](const char* text) { return text != nullptr ? Json(text) : Json(); };
  add("text", word(family.text_model), nullptr);
  add("rejected", word(family.unsupported), nullptr);
  add("rotates", family.read_positions == nullptr || family.rotary_condition.key != nullptr, true);
  add("rotatesIf", word(family.rotary_condition.key), nullptr);
  add("baseKey", word(family.base_key), "rope_theta");
  add("layout", family.layout == RopeLayout::interleaved ? "interleaved" : "half_split",
      "half_split");
  add("direction", family.is_reversed ? "negative" : "positive", "positive");
  add("values", family.rotates_values, false);
  add("latent", family.is_latent, false);
  static constexpr const char* kSections[] = {"none", "contiguous", "interleaved", "video"};
  add("sections", kSections[static_cast<std::size_t>(family.sections)], "none");
  add("convention", word(family.convention), nullptr);
  add("layers", name_of(family.rotation), "alike");
  if (family.pattern.interval > 0 || family.pattern.read_types != nullptr) {
    Json pattern = {{"interval", family.pattern.interval}, {"others", family.pattern.other_type}};
    if (family.pattern.read_types != nullptr) pattern = {{"by", "its class"}};
    if (family.pattern.key != nullptr) pattern["key"] = family.pattern.key;
    if (family.pattern.phase >= 0) pattern["phase"] = family.pattern.phase;
    out["pattern"] = pattern;
  }
  if (family.window.layers != LayerWindows::none)
    out["window"] = {{"layers", name_of(family.window.layers)},
                     {"key", family.window.key},
                     {"span", name_of(family.window.span)}};
  add("patchWindow", family.window_pixels > 0, false);
  if (family.norm.over != nullptr)
    out["norm"] = {{"norm", family.norm.norm_type},
                   {"over", family.norm.over},
                   {"weightForm", family.norm.weight_form},
                   {"order", family.norm.order}};
  add("normIf", word(family.norm.condition.key), nullptr);
  add("scale", scale_name(family), "");
  add("softcap", family.softcap > 0, false);
  static constexpr const char* kSinks[] = {"none", "all", "local"};
  add("sinks", kSinks[static_cast<std::size_t>(family.sinks)], "none");
  add("temperature", family.temperature != Temperature::none, false);
  add("causal", family.is_causal, true);
  add("stacks", family.has_stacks, false);
  add("attention", !family.has_no_attention, true);
  add("images", family.is_vision_tower, false);
  return out;
}

std::string families_json() {
  Json rows = Json::array();
  // Families of equal form refer to the first of them by year and name.
  std::vector<const Family*> families = all_families();
  std::stable_sort(families.begin(), families.end(), [](const Family* a, const Family* b) {
    return std::pair(a->year, a->names.text()) < std::pair(b->year, b->names.text());
  });
  std::vector<std::pair<Json, std::string>> first_families;
  for (const Family* family : families) {
    Json form = family_form(*family);
    const bool is_listed = std::any_of(first_families.begin(), first_families.end(),
                                       [&](const auto& entry) { return entry.first == form; });
    if (!is_listed)
      first_families.emplace_back(std::move(form), std::string(family->names.list()[0]));
  }
  for (const Family* family : all_families()) {
    Json form = family_form(*family), row;
    const auto names = family->names.list();
    row["names"] = std::vector<std::string>(names.begin(), names.end());
    row["year"] = family->year;
    row["source"] = name_of(family->source_version);
    const bool rotates = !form.contains("rotates") && family->text_model == nullptr;
    const auto first_family = std::find_if(first_families.begin(), first_families.end(),
                                           [&](const auto& entry) { return entry.first == form; });
    if (rotates && first_family->second != names[0]) row["as"] = first_family->second;
    if (rotates) {
      row["base"] = family->base;
      if (family->v5_base > 0) row["base5"] = family->v5_base;
      if (family->local_base > 0) row["localBase"] = family->local_base;
      if (family->rotary_fraction != 1) row["rotaryFraction"] = family->rotary_fraction;
    }
    if (family->window.size > 0) row["windowSize"] = family->window.size;
    for (const auto& [name, value] : form.items()) row[name] = value;
    rows.push_back(row);
  }
  std::string out = "[\n";
  for (const Json& row : rows) out += (out.size() > 2 ? ",\n" : "") + row.dump();
  return out + "\n]\n";
}

TEST(FamiliesJson, MatchesTheFamilyTable) {
  if (std::getenv("PHASOR_WRITE_MODELS") != nullptr) {
    std::ofstream(kPath) << families_json();
    return;
  }
  std::ostringstream file;
  file << std::ifstream(kPath).rdbuf();
  EXPECT_EQ(file.str(), families_json()) << "run npm run docs";
}

}  // namespace families_json_test
}  // namespace phasor::test
