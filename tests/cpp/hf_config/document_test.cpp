// docs/models.md lists the families as the tables in cpp/src say them. With PHASOR_WRITE_MODELS the
// lists are written (npm run docs).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/format_error.h"
#include "hf_config/families.h"
#include "hf_config/layers_from_config.h"
#include "hf_config/rope_families.h"
#include "model_encoding_file.h"

namespace phasor::test {
namespace {

constexpr const char *kPath = PHASOR_SOURCE_DIR "/docs/models.md",
                     *kBegin = "<!-- families, by npm run docs -->\n",
                     *kEnd = "<!-- end of families -->\n";

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string codes(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + code(word);
  return out;
}

std::string names_of(ChoiceList names) {
  const auto list = names.list();
  return codes({list.begin(), list.end()});
}

std::string words_of(Source source) {
  switch (source) {
    case Source::none: return "not in transformers";
    case Source::earlier: return "4.57, earlier";
    case Source::v4: return "version 4";
    case Source::v5: return "version 5";
    case Source::v4_v5: return "versions 4 and 5";
  }
  return "";
}

std::string base_of(double base) { return base == 0 ? "in the file" : to_words(base); }

std::string channels_of(const RopeFamily& family) {
  return family.rotary_dim > 0         ? to_words(family.rotary_dim)
         : family.rotary_fraction == 1 ? "all"
                                       : to_words(family.rotary_fraction) + " of a head";
}

std::string layers_of(const RopeFamily& family) {
  const std::string n = to_words(family.pattern.interval);
  const std::string without =
      family.pattern.from_first
          ? "layers 0, " + n + ", " + to_words(2.0 * family.pattern.interval) + " ..."
          : "every " + n + "th layer";
  const std::string base = "base " + to_words(family.local_base);
  std::string out;
  switch (family.layers) {
    case Layers::alike: out = family.only_with.key == nullptr ? "all" : ""; break;
    case Layers::local_base:
      out = "sliding_attention: " + base + ", without scaling; full_attention: " + without;
      break;
    case Layers::scaled_local:
      out = "sliding_attention: " + base + "; full_attention: " + without;
      break;
    case Layers::unscaled:
      out = "sliding_attention: without scaling; full_attention: " + without;
      break;
    case Layers::window_only: out = "sliding_attention; not full_attention, " + without; break;
    case Layers::window_or_all:
      out = "sliding_attention, or all where `sliding_window` is null; not full_attention, " +
            without;
      break;
    case Layers::listed: out = "not every 4th"; break;
    case Layers::not_cross: out = "not those with cross attention"; break;
  }
  const Switch& by = family.only_with;
  if (by.key != nullptr)
    out = "all where " + code(by.key) + " is " + (by.word != nullptr ? code(by.word) : "true") +
          ", else none";
  return family.refused != nullptr ? "refused: no encoding here has its order of rows and columns"
                                   : out;
}

std::string scale_of(const RopeFamily& family) {
  if (family.scale == scale_of_granite) return "`attention_multiplier`, 1";
  if (family.scale == scale_of_gemma) return "1 / sqrt(`query_pre_attn_scalar`), 256";
  if (family.scale == scale_of_gemma3n) return "1";
  if (family.scale == scale_of_zamba2) return "1 / sqrt(half a head)";
  if (family.scale == scale_of_latent) return "YaRN's, by `mscale_all_dim`";
  return "";
}

// What version 4 calls at the top of the file what version 5 has in rope_parameters.
std::vector<std::string> keys_of(const RopeFamily& family, bool version_5) {
  const bool local = family.local_base > 0;
  std::vector<std::string> keys;
  const std::string full = local ? "rope_parameters.full_attention." : "rope_parameters.";
  if (family.base_key != nullptr) keys.push_back(version_5 ? full + "rope_theta" : family.base_key);
  if (family.rotary_dim > 0) {
    keys.push_back("rotary_dim");
  } else if (family.rotary_fraction != 1) {
    keys.push_back(version_5 ? full + "partial_rotary_factor" : family.share_key);
  }
  if (local)
    keys.push_back(version_5 ? "rope_parameters.sliding_attention.rope_theta" : family.local_key);
  if (family.pattern.interval > 0) {
    keys.push_back("layer_types");
    if (!version_5 && family.pattern.key != nullptr) keys.push_back(family.pattern.key);
  }
  if (family.layers == Layers::listed)
    keys.insert(keys.end(), {"no_rope_layers", "no_rope_layer_interval"});
  if (family.layers == Layers::not_cross) keys.push_back("cross_attention_layers");
  if (family.only_with.key != nullptr) keys.push_back(family.only_with.key);
  if (family.reads_pairs) keys.push_back("rope_interleave");
  return keys;
}

std::string rotary_table() {
  std::string out =
      "| `model_type` | pairs | base | channels | layers that turn | factor on q.k | keys of "
      "version 4 | keys of version 5 | read from |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const RopeFamily& family : rope_families()) {
    const std::string cells[] = {
        names_of(family.names),
        family.pairs == RopeLayout::interleaved ? "interleaved" : "half_split",
        base_of(family.base),
        channels_of(family),
        layers_of(family),
        scale_of(family),
        codes(keys_of(family, false)),
        codes(keys_of(family, true)),
        words_of(family.source)};
    for (const std::string& cell : cells) out += "| " + cell + " ";
    out += "|\n";
  }
  return out;
}

// The encodings of the stacks of a family, read from a file with all that any of them needs.
std::string encodings_of(const ModelFamily& family) {
  Params file = {{"model_type", std::string(family.names.list()[0])},
                 {"relative_attention", true},
                 {"position_biased_input", false},
                 {"pos_att_type", word("c2p, p2c")}};
  if (family.alibi) file["alibi"] = true;
  if (family.read == nullptr) return "refused: no attention";
  const bool is_falcon = family.names.find("falcon") >= 0;
  const std::string first =
      // its slopes are those of 71 heads
      code(model(file, {.stack = "encoder"}, 64, is_falcon ? 71 : 1).encoding.id);
  if (family.decoder == nullptr) return first + (is_falcon ? " where `alibi` is true" : "");
  const std::string second = code(model(file, {.stack = "decoder"}).encoding.id);
  return first == second ? first : first + " (encoder), " + second + " (decoder)";
}

std::string other_table() {
  std::string out = "| `model_type` | encoding | counted by | read from |\n|---|---|---|---|\n";
  for (const ModelFamily& family : model_families()) {
    std::string length = family.length.key == nullptr
                             ? ""
                             : code(family.length.key) + ", " + to_words(family.length.value);
    if (family.row_offset > 0) length += ", and " + to_words(family.row_offset) + " rows before";
    if (family.position_offset > 0) {
      length = "from position " + to_words(family.position_offset) +
               ", with zeros in the row of `pad_token_id`";
    } else if (family.row_after_padding) {
      length += std::string(length.empty() ? "" : ", ") + "behind the row of `pad_token_id`";
    }
    const std::string choice =
        family.has_choice ? ", or `shaw` or `alibi` by `position_embedding_type`" : "";
    out += "| " + names_of(family.names) + " | " + encodings_of(family) + choice + " | " + length +
           " | " + words_of(family.source) + " |\n";
  }
  return out;
}

std::string windows_of(const LayerFamily& family) {
  const std::string size = to_words(family.window);
  const std::string key = code("sliding_window") + ", " + size;
  switch (family.windows) {
    case LayerWindows::none: return "";
    case LayerWindows::typed: return "sliding_attention: " + key;
    case LayerWindows::later:
      return "where " + code("use_sliding_window") + ", from " + code("max_window_layers") +
             ", 28, on: " + key;
    case LayerWindows::unrotated:
      return "where " + code("use_sliding_window") +
             ", in layers that do not turn: " + code("sliding_window");
    case LayerWindows::chunked:
      return "chunks, in layers that turn: " + code("attention_chunk_size") + ", " + size;
  }
  return "";
}

std::string norm_of(const QkNormRule& norm) {
  if (norm.over == nullptr) return "";
  const std::string form = norm.weight_form;
  return std::string(norm.over == std::string("head") ? "each head"
                                                      : "all heads of a token together") +
         (norm.order == std::string("before_encoding") ? ", before the encoding"
                                                       : ", after the encoding") +
         (form == "one_plus" ? ", times 1 + weight"
          : form == "none"   ? ", without a weight"
                             : "") +
         (norm.switch_key != nullptr
              ? "; in layers that turn, unless " + code(norm.switch_key) + " is false"
              : "");
}

std::string layer_table() {
  std::string out =
      "| `model_type` | window | norm of queries and keys (RMS, `rms_norm_eps`) | besides |\n"
      "|---|---|---|---|\n";
  for (const LayerFamily& family : layer_families()) {
    std::string more;
    if (family.sinks) more = "sinks";
    if (family.softcap > 0)
      more = "soft cap: " + code("attn_logit_softcapping") + ", " + to_words(family.softcap);
    if (family.windows == LayerWindows::chunked)
      more = "temperature, in layers that do not turn: " + code("floor_scale") + ", " +
             code("attn_scale");
    if (family.latent) more = "content before the channels that turn";
    out += "| " + names_of(family.names) + " | " + windows_of(family) + " | " +
           norm_of(family.norm) + " | " + more + " |\n";
  }
  return out;
}

TEST(ModelsDocument, ListsTheFamiliesOfTheTables) {
  const std::string lists = std::string(kBegin) + "\n### Rotary\n\n" + rotary_table() +
                            "\n### Others\n\n" + other_table() + "\n### Layers\n\n" +
                            layer_table() + "\n" + kEnd;
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

// A name that is in two rows would be read by the first alone.
TEST(ModelsDocument, NamesEachFamilyOnce) {
  std::vector<std::string_view> seen;
  for (const RopeFamily& family : rope_families()) {
    for (const std::string_view name : family.names.list()) {
      EXPECT_EQ(find_rope_family(name), &family) << name;
      seen.push_back(name);
    }
  }
  for (const ModelFamily& family : model_families()) {
    for (const std::string_view name : family.names.list()) {
      EXPECT_EQ(find_model_family(name, ""), &family) << name;
      if (name == "falcon") continue;  // is either
      EXPECT_EQ(std::count(seen.begin(), seen.end(), name), 0) << name;
    }
  }
}

}  // namespace
}  // namespace phasor::test
