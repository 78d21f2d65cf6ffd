// All layers of a model: the encoding of each, by encoding_from_config, and its options of
// attention.

#include "hf_config/layers_from_config.h"

#include <cmath>

#include "core/format_error.h"
#include "hf_config/family_readers.h"
#include "hf_config/rope_families.h"
#include "hf_config/rope_layers.h"
#include "hf_config/rope_reader.h"
#include "phasor/hf_config.h"

namespace phasor {

namespace {

constexpr const char* kChunked = "chunked_attention";

/// Of all listed families.
std::string names_of_families() {
  std::string names;
  for (const LayerFamily& family : layer_families())
    (names += names.empty() ? "" : ", ") += family.names.text();
  return names;
}

// A whole number of the file, its default, or 0 where the key is null.
int whole(ConfigMap& model, const char* key, double default_value) {
  if (model.is_null(key)) return 0;
  const double number = model.number(key, default_value);
  if (number == std::floor(number) && number >= 0 && number <= kMaxExtent)
    return static_cast<int>(number);
  model.fail(invalid("{}{}: {} is not a whole number from {}", model.path, key, number,
                     Range{0, kMaxExtent}));
  return 0;
}

class LayerReader {
 public:
  LayerReader(const Params& config, ConfigMap& model, const LayerFamily& family)
      : config_(config), model_(model), family_(family) {
    const std::string* types = model.word("layer_types");
    if (types != nullptr) types_ = split_choices(*types);
    chunked_ = family.windows == LayerWindows::chunked;
    window_ = whole(model, chunked_ ? "attention_chunk_size" : "sliding_window", family.window);
    switched_ = model.boolean("use_sliding_window", false);
    first_with_window_ = whole(model, "max_window_layers", 28);
    softcap_ = model.is_null("attn_logit_softcapping")
                   ? 0
                   : model.number("attn_logit_softcapping", family.softcap);
    eps_ = model.number("rms_norm_eps", family.norm.eps);
    normed_ = family.norm.over != nullptr &&
              (family.norm.switch_key == nullptr || model.boolean(family.norm.switch_key, true));
    if (chunked_) {
      // A number in published files.
      const ParamValue* tuned = model.entries.find("attn_temperature_tuning");
      tuned_ = tuned == nullptr || ChoiceList("false, 0").find(to_words(*tuned)) < 0;
      temperature_ = {model.number("floor_scale", 8192), model.number("attn_scale", 0.1)};
    }
    if (const RopeFamily* rope = find_rope_family(model.word_or_none("model_type"))) {
      interval_ = rope->pattern.interval;
      // If types are listed the key is not read, and is a string in some files (EXAONE 4: LLLG).
      if (interval_ > 0 && rope->pattern.key != nullptr &&
          model.entries.find("layer_types") == nullptr)
        interval_ = whole(model, rope->pattern.key, interval_);
    }
  }

  Status layer(int index, ConfigLayer& out) const {
    if (!types_.empty() && static_cast<std::size_t>(index) >= types_.size()) {
      return invalid("{}layer_types: it has {} types, but there is a layer {}", model_.path,
                     types_.size(), index);
    }
    PHASOR_TRY_ASSIGN(ConfigEncoding read, encoding_from_config(config_, {.layer_idx = index}));
    out.encoding = std::move(read.encoding);
    out.scale = read.scale;
    const bool turns = out.encoding.id != "none";
    PHASOR_TRY(type_of(index, turns, out.type));
    if (out.type == kSlidingAttention && window_ > 0) out.window = window_;
    if (out.type == kChunked && window_ > 0) out.chunk = window_;
    if (family_.softcap > 0 && softcap_ > 0) out.softcap = softcap_;
    out.sinks = family_.sinks;
    const QkNormRule& norm = family_.norm;
    if (normed_ && (norm.switch_key == nullptr || turns))
      out.qk_norm = {"rms", norm.over, norm.weight_form, norm.order, eps_};
    if (tuned_ && !turns) out.temperature = temperature_;
    if (family_.latent) whole_heads(out.encoding);
    return {};
  }

 private:
  Status type_of(int index, bool turns, std::string& type) const {
    type = kFullAttention;
    if (!types_.empty()) {
      type = types_[static_cast<std::size_t>(index)];
      const ChoiceList known =
          chunked_ ? "full_attention, chunked_attention" : "full_attention, sliding_attention";
      if (known.find(type) < 0) {
        return unknown("{}layer_types: \"{}\" is not a type of this family; there are {}",
                       model_.path, type, known);
      }
    }
    // A file that lists types may have disabled its windows.
    const bool says = !types_.empty();
    switch (family_.windows) {
      case LayerWindows::none: break;
      case LayerWindows::typed:
        if (!says && interval_ > 0 && window_ > 0 && (index + 1) % interval_ != 0)
          type = kSlidingAttention;
        break;
      case LayerWindows::later:
        if (!says && switched_ && window_ > 0 && index >= first_with_window_)
          type = kSlidingAttention;
        break;
      case LayerWindows::unrotated:
        if (!says && switched_ && window_ > 0 && !turns) type = kSlidingAttention;
        break;
      case LayerWindows::chunked:
        if (!says && turns) type = kChunked;
        break;
    }
    const bool needs_switch =
        family_.windows == LayerWindows::later || family_.windows == LayerWindows::unrotated;
    if (type == kSlidingAttention && needs_switch && !switched_) type = kFullAttention;
    return {};
  }

  // As one head: content channels, then rotated ones.
  void whole_heads(EncodingConfig& encoding) const {
    encoding.params["rotary_dim"] = static_cast<double>(whole(model_, "qk_rope_head_dim", 64));
    encoding.params["rotary_offset"] = static_cast<double>(whole(model_, "qk_nope_head_dim", 128));
  }

  const Params& config_;
  ConfigMap& model_;
  const LayerFamily& family_;
  std::vector<std::string_view> types_{};
  bool chunked_ = false, switched_ = false, normed_ = false, tuned_ = false;
  LayerTemperature temperature_{};
  int window_ = 0, first_with_window_ = 0, interval_ = 0;
  double softcap_ = 0, eps_ = 0;
};

Status read_layers(const Params& config, std::vector<ConfigLayer>& out) {
  ConfigMap model;
  model.load(config);
  enter_text_model(model);
  const std::string name(model.word_or_none("model_type"));
  PHASOR_TRY(model.status());
  const LayerFamily* family = find_layer_family(name);
  if (family == nullptr) {
    return unknown("{}model_type: \"{}\" is not a family whose layers are listed; there are {}",
                   model.path, name, names_of_families());
  }
  if (!model.has("num_hidden_layers")) {
    return invalid("{}num_hidden_layers: the key is missing; it says how many layers there are",
                   model.path);
  }
  const int count = whole(model, "num_hidden_layers", 0);
  const LayerReader reader(config, model, *family);
  PHASOR_TRY(model.status());
  PHASOR_TRY(check_extent("num_hidden_layers", count));
  for (int index = 0; index < count; ++index) PHASOR_TRY(reader.layer(index, out.emplace_back()));
  return model.status();
}

}  // namespace

Result<std::vector<ConfigLayer>> layers_from_config(const Params& config) {
  return Result<std::vector<ConfigLayer>>::from(
      [&](std::vector<ConfigLayer>& out) { return read_layers(config, out); });
}

// Read from configuration_*.py and modeling_*.py of Hugging Face transformers, of version 5 and,
// of gemma3 and olmo2, of version 4. Gemma 3 ignores attn_logit_softcapping. The norm that Llama 4
// calls L2 divides by the root of the mean square, and has no weight.

namespace {

constexpr const char *kBefore = "before_encoding", *kAfter = "after_encoding";

constexpr LayerFamily kLayerFamilies[] = {
    {.names = "gpt_oss", .windows = LayerWindows::typed, .window = 128, .sinks = true},
    {.names = "gemma2", .windows = LayerWindows::typed, .window = 4096, .softcap = 50},
    {.names = "gemma3, gemma3_text",
     .windows = LayerWindows::typed,
     .window = 4096,
     .norm = {"head", "one_plus", kBefore, 1e-6}},
    {.names = "qwen3",
     .windows = LayerWindows::later,
     .window = 4096,
     .norm = {"head", "plain", kBefore, 1e-6}},
    {.names = "olmo2", .norm = {"all_heads", "plain", kBefore, 1e-5}},
    {.names = "olmo3",
     .windows = LayerWindows::typed,
     .window = 4096,
     .norm = {"all_heads", "plain", kBefore, 1e-5}},
    {.names = "cohere2", .windows = LayerWindows::typed, .window = 4096},
    {.names = "llama4, llama4_text",
     .windows = LayerWindows::chunked,
     .window = 8192,
     .norm = {"head", "none", kAfter, 1e-5, "use_qk_norm"}},
    {.names = "smollm3", .windows = LayerWindows::unrotated},
    {.names = "exaone4",
     .windows = LayerWindows::typed,
     .window = 4096,
     .norm = {"head", "plain", kBefore, 1e-5}},
    {.names = "deepseek_v3", .latent = true},
};

}  // namespace

std::span<const LayerFamily> layer_families() { return kLayerFamilies; }

const LayerFamily* find_layer_family(std::string_view model_type) {
  for (const LayerFamily& family : kLayerFamilies) {
    if (family.names.find(model_type) >= 0) return &family;
  }
  return nullptr;
}

}  // namespace phasor
