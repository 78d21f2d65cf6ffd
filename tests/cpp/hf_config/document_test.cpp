// Compares the table in docs/models.md with the families in cpp/src. With PHASOR_WRITE_MODELS (npm
// run docs) the table is written.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/format_error.h"
#include "hf_config/family.h"
#include "hf_config/query_scale.h"
#include "model_encoding_file.h"

namespace phasor::test {
namespace {

constexpr const char *kPath = PHASOR_SOURCE_DIR "/docs/models.md",
                     *kBegin = "<!-- families, by npm run docs -->\n",
                     *kEnd = "<!-- end of families -->\n";

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string code_list(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + code(word);
  return out;
}

std::string name_list(ChoiceList names) {
  const auto list = names.list();
  return code_list({list.begin(), list.end()});
}

std::string version_text(TransformersVersion source) {
  switch (source) {
    case TransformersVersion::none: return "not in transformers";
    case TransformersVersion::earlier: return "4.57, earlier";
    case TransformersVersion::v4: return "version 4";
    case TransformersVersion::v5: return "version 5";
    case TransformersVersion::v4_v5: return "versions 4 and 5";
  }
  return "";
}

// The encodings of a family's stacks, read from a config with the keys that any family needs.
std::string encoding_names(const Family& family) {
  Params file = {{"model_type", std::string(family.names.list()[0])},
                 {"relative_attention", true},
                 {"position_biased_input", false},
                 {"pos_att_type", word("c2p, p2c")}};
  if (family.uses_alibi) file["alibi"] = true;
  // 71 is the number of heads of Falcon 7B
  const int heads = family.rotary_condition.is_negated ? 71 : 1;
  const auto encoding_name = [&](const char* stack) {
    return code(model(file, {.stack = stack}, 64, heads).encoding.id);
  };
  if (family.read_decoder == nullptr) return encoding_name("encoder");
  return encoding_name("encoder") + " (encoder), " + encoding_name("decoder") + " (decoder)";
}

// Describes the layers with full attention, such as "every 6th layer".
std::string pattern_of(const LayerPattern& pattern) {
  if (pattern.read_types != nullptr) return "as its class lists them";
  if (pattern.interval == 0 || pattern.interval == kMaxExtent) return "";
  const std::string n = to_message(pattern.interval);
  return pattern.phase == 0 ? "layers 0, " + n + ", " + to_message(2.0 * pattern.interval) + " ..."
                            : "every " + n + "th layer";
}

std::string describe_positions(const Family& family) {
  if (family.unsupported != nullptr) return std::string("rejected: ") + family.unsupported;
  if (family.has_no_attention) return "rejected: neither attention nor positions";
  if (family.text_model != nullptr) return "as its language model, " + code(family.text_model);
  std::string out;
  if (family.read_positions == nullptr || family.rotary_condition.key != nullptr) {
    out = family.sections == Sections::none ? "`rope`" : "`mrope`";
    out += family.layout == RopeLayout::interleaved ? ", interleaved" : ", half_split";
    out += ", base " + (family.base == 0 ? "in the file" : to_message(family.base));
    if (family.v5_base > 0) out += " (version 5: " + to_message(family.v5_base) + ")";
    if (family.rotary_dim > 0) out += ", " + to_message(family.rotary_dim) + " channels";
    if (family.rotary_fraction != 1)
      out += ", " + to_message(family.rotary_fraction) + " of the channels";
    if (family.is_latent) out += ", the last channels of a head";
    if (family.is_reversed) out += ", by negative angles";
    if (family.rotates_values) out += ", values too";
    if (family.values_key != nullptr) out += ", values too where " + code(family.values_key);
  }
  if (family.read_positions != nullptr && family.rotary_condition.key == nullptr)
    out = encoding_names(family);
  const KeyCondition& by = family.rotary_condition;
  if (by.key != nullptr) {
    out += " where " + code(by.key) + " is " +
           (by.expected_value != nullptr ? code(by.expected_value)
            : by.is_negated              ? "false"
                                         : "true") +
           ", else " + (family.read_positions != nullptr ? encoding_names(family) : "`none`");
  }
  if (family.has_encoding_choice) out += ", or `shaw` or `alibi` by `position_embedding_type`";
  if (family.length.key != nullptr && family.length.default_value > 0)
    out += ", " + code(family.length.key) + " " + to_message(family.length.default_value);
  if (family.row_offset > 0) out += ", " + to_message(family.row_offset) + " rows before";
  if (family.starts_after_padding) out += ", behind the row of " + code(family.padding_row.key);
  return out;
}

std::string describe_layers(const Family& family) {
  const std::string base = "base " + to_message(family.local_base);
  const std::string local_share =
      family.local_fraction > 0 ? ", " + to_message(family.local_fraction) + " of the channels"
                                : "";
  std::string out;
  switch (family.rotation) {
    case RotationRule::uniform: break;
    case RotationRule::local_base: out = "with a window " + base + ", without scaling"; break;
    case RotationRule::scaled_local: out = "with a window " + base + local_share; break;
    case RotationRule::unscaled: out = "with a window without scaling"; break;
    case RotationRule::window_only: out = "only layers with a window turn"; break;
    case RotationRule::window_or_all:
      out = "only layers with a window turn, all where `sliding_window` is null";
      break;
    case RotationRule::listed: out = "every 4th does not turn, or by `no_rope_layers`"; break;
    case RotationRule::not_cross: out = "those of `cross_attention_layers` do not turn"; break;
    case RotationRule::compressed: out = "with compressed keys " + base; break;
  }
  const std::string pattern = pattern_of(family.pattern);
  if (!pattern.empty()) {
    const bool local = family.pattern.other_type == std::string("sliding_attention");
    out = (local || family.pattern.read_types != nullptr
               ? ""
               : std::string(family.pattern.other_type) + ", ") +
          std::string("full attention: ") + pattern + (out.empty() ? "" : "; " + out);
  }
  return out;
}

std::string describe_window(const Family& family) {
  if (family.window_pixels > 0) {
    return format_error(
        "squares of `window_size` / `patch_size` patches, {} pixels, but in "
        "`fullatt_block_indexes`",
        family.window_pixels);
  }
  const WindowRule& rule = family.window;
  if (rule.layers == LayerWindows::none) return "";
  std::string out = code(rule.key) + (rule.size > 0 ? ", " + to_message(rule.size) : "");
  switch (rule.span) {
    case WindowSpan::past: break;
    case WindowSpan::half: out += ", of which half is seen"; break;
    case WindowSpan::each_way: out += " on either side"; break;
    case WindowSpan::half_each: out += ", half of it on either side"; break;
  }
  switch (rule.layers) {
    case LayerWindows::none:
    case LayerWindows::sliding_layers: return out;
    case LayerWindows::all: return out + ", all layers";
    case LayerWindows::upper_layers:
      return out + ", where `use_sliding_window`, from `max_window_layers` on";
    case LayerWindows::all_if_enabled: return out + ", all layers where `use_sliding_window`";
    case LayerWindows::unrotated_if_enabled:
      return out + ", where `use_sliding_window`, in layers that do not turn";
    case LayerWindows::sliding_if_enabled: return out + ", where `use_sliding_window`";
    case LayerWindows::chunked_layers: return out + ", chunks, in layers that turn";
  }
  return out;
}

std::string describe_norm(const QkNormRule& norm) {
  if (norm.over == nullptr) return "";
  const std::string form = norm.weight_form;
  std::string out = norm.norm_type == std::string("rms") ? "RMS" : "layer";
  out += norm.over == std::string("head") ? ", each head" : ", all heads of a token together";
  if (norm.order != std::string("before_encoding")) out += ", after the rotation";
  out += form == "one_plus" ? ", times 1 + weight" : form == "none" ? ", without a weight" : "";
  if (norm.is_rotary_only) out += ", in layers that turn";
  if (norm.condition.key != nullptr)
    out +=
        (norm.condition.default_value ? ", unless false: " : ", where ") + code(norm.condition.key);
  return out;
}

std::string describe_other_features(const Family& family) {
  std::vector<std::string> parts;
  if (family.read_scale == read_granite_scale) parts.push_back("scale `attention_multiplier`");
  if (family.read_scale == read_gemma_scale)
    parts.push_back("scale 1 / sqrt(`query_pre_attn_scalar`)");
  if (family.read_scale == read_unit_scale || family.fixed_scale == 1) parts.push_back("scale 1");
  if (family.read_scale == read_zamba_scale) parts.push_back("scale 1 / sqrt(half a head)");
  if (family.read_scale == read_latent_scale) parts.push_back("YaRN's scale, by `mscale_all_dim`");
  if (family.softcap > 0) parts.push_back("soft cap " + to_message(family.softcap));
  if (family.sinks == Sinks::all) parts.push_back("sinks");
  if (family.sinks == Sinks::local) parts.push_back("sinks in layers with a window");
  if (family.temperature == Temperature::unrotated)
    parts.push_back("temperature `floor_scale`, `attn_scale` in layers that do not turn");
  if (family.temperature == Temperature::scaling)
    parts.push_back("temperature `llama_4_scaling_beta`");
  if (!family.is_causal) parts.push_back("not causal");
  if (family.bidirectional_key != nullptr)
    parts.push_back("not causal where " + code(family.bidirectional_key));
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "; ") + part;
  return out;
}

std::string make_family_table() {
  std::string out =
      "| `model_type` | year | positions | layers | window | norm of queries and keys | besides | "
      "read from |\n|---|---|---|---|---|---|---|---|\n";
  for (const Family* family : all_families()) {
    const std::string cells[] = {
        name_list(family->names),         to_message(family->year),
        describe_positions(*family),      describe_layers(*family),
        describe_window(*family),         describe_norm(family->norm),
        describe_other_features(*family), version_text(family->source_version)};
    for (const std::string& cell : cells) out += "| " + cell + " ";
    out += "|\n";
  }
  return out;
}

TEST(ModelsDocument, ListsEveryFamily) {
  const std::string lists = std::string(kBegin) + "\n" + make_family_table() + "\n" + kEnd;
  std::ostringstream file;
  file << std::ifstream(kPath).rdbuf();
  std::string text = file.str();
  const std::size_t begin = text.find(kBegin), end = text.find(kEnd);
  ASSERT_TRUE(begin != text.npos && end != text.npos && begin < end)
      << "the marks of the lists are gone";
  if (std::getenv("PHASOR_WRITE_MODELS") != nullptr) {
    text.replace(begin, end + std::string_view(kEnd).size() - begin, lists);
    std::ofstream(kPath) << text;
    return;
  }
  EXPECT_EQ(text.substr(begin, end + std::string_view(kEnd).size() - begin), lists)
      << "run npm run docs";
}

// A duplicate name would always find the first family.
TEST(ModelsDocument, NamesEachFamilyOnce) {
  for (const Family* family : all_families()) {
    EXPECT_GE(family->year, 2017) << family->names.text();
    for (const std::string_view name : family->names.list())
      EXPECT_EQ(find_family(name), family) << name;
    if (family->text_model == nullptr) continue;
    EXPECT_NE(find_family(family->text_model), nullptr) << family->text_model;
  }
}

}  // namespace
}  // namespace phasor::test
