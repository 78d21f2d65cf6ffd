#include "gguf/gguf_config_reader.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/format_error.h"

namespace phasor {

namespace {

// The shortest decimal number that rounds to the same float32, such as 1e-6 for 9.99999997e-07.
double shortest_decimal(double stored_value) {
  const auto value = static_cast<float>(stored_value);
  if (static_cast<double>(value) != stored_value) return stored_value;
  char text[32];
  for (int digits = 1; digits <= 9; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, stored_value);
    const double candidate = std::strtod(text, nullptr);
    if (static_cast<float>(candidate) == value) return candidate;
  }
  return stored_value;
}

}  // namespace

GgufConfigReader::GgufConfigReader(const GgufHeader& header,
                                   const OrderedMap<Tensor>& config_tensors,
                                   std::string_view architecture)
    : header_(header), config_tensors_(config_tensors), prefix_(std::string(architecture) + ".") {}

void GgufConfigReader::fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

const GgufValue* GgufConfigReader::find(const char* key) {
  known_keys_.push_back(key);
  return header_.metadata.find(full_key(key));
}

std::optional<double> GgufConfigReader::number(const char* key) {
  const GgufValue* entry = find(key);
  if (entry == nullptr) return {};
  std::optional<double> value;
  if (const auto* unsigned_number = std::get_if<std::uint64_t>(&entry->value)) {
    value = static_cast<double>(*unsigned_number);
  } else if (const auto* signed_number = std::get_if<std::int64_t>(&entry->value)) {
    value = static_cast<double>(*signed_number);
  } else if (const auto* float_number = std::get_if<double>(&entry->value)) {
    value = entry->type == GgufType::float32 ? shortest_decimal(*float_number) : *float_number;
  }
  if (!value || !std::isfinite(*value)) {
    fail(invalid("{}: is not a finite number", full_key(key)));
    return {};
  }
  return value;
}

double GgufConfigReader::number(const char* key, double default_value) {
  return number(key).value_or(default_value);
}

double GgufConfigReader::require(const char* key) {
  const std::optional<double> value = number(key);
  if (!value) fail(invalid("{}: the key is missing", full_key(key)));
  return value.value_or(1);
}

int GgufConfigReader::count(const char* key) {
  const double value = require(key);
  if (value >= 1 && value <= kMaxExtent && value == std::floor(value))
    return static_cast<int>(value);
  fail(invalid("{}: {} is not a whole number from 1 to {}", full_key(key), value, kMaxExtent));
  return 1;
}

std::optional<bool> GgufConfigReader::boolean(const char* key) {
  const GgufValue* entry = find(key);
  if (entry == nullptr) return {};
  if (const bool* value = std::get_if<bool>(&entry->value)) return *value;
  fail(invalid("{}: is not a boolean", full_key(key)));
  return {};
}

std::string_view GgufConfigReader::string(const char* key) {
  const GgufValue* entry = find(key);
  if (entry == nullptr) return {};
  if (const auto* value = std::get_if<std::string>(&entry->value)) return *value;
  fail(invalid("{}: is not a string", full_key(key)));
  return {};
}

const GgufArray* GgufConfigReader::list(const char* key) {
  const GgufValue* entry = find(key);
  return entry == nullptr ? nullptr : std::get_if<GgufArray>(&entry->value);
}

void GgufConfigReader::expect(const char* key, double value) {
  const GgufValue* entry = find(key);
  if (entry == nullptr) return;
  const bool* flag = std::get_if<bool>(&entry->value);
  const double stored_value = flag != nullptr ? (*flag ? 1 : 0) : number(key, value);
  if (stored_value != value)
    fail(invalid("{}: {} is not supported; expected {}", full_key(key), stored_value,
                 detail(value)));
}

const GgufTensor* GgufConfigReader::tensor(std::string_view name) const {
  const auto match = std::find_if(header_.tensors.begin(), header_.tensors.end(),
                                  [&](const GgufTensor& tensor) { return tensor.name == name; });
  return match == header_.tensors.end() ? nullptr : &*match;
}

int GgufConfigReader::heads() { return count("attention.head_count"); }

int GgufConfigReader::kv_heads() {
  const std::optional<double> kv_heads = number("attention.head_count_kv");
  return kv_heads ? count("attention.head_count_kv") : heads();
}

int GgufConfigReader::head_dim() {
  if (number("attention.key_length")) return count("attention.key_length");
  return std::max(1, count("embedding_length") / heads());
}

void GgufConfigReader::read_head_dim(const char* key) {
  expect("attention.value_length", head_dim());
  if (number("attention.key_length")) config[key] = head_dim();
}

void GgufConfigReader::expect_full_rotation() { expect("rope.dimension_count", head_dim()); }

void GgufConfigReader::read_base(const char* base_key) {
  config[base_key] = number("rope.freq_base", 10000);
}

const Tensor* GgufConfigReader::read_factors(const char* name, bool is_required) {
  if (!has_tensor(name)) {
    if (is_required) fail(invalid("{}: the tensor is missing", std::string(name)));
    return nullptr;
  }
  const Tensor* factors = config_tensors_.find(name);
  const double rotary_dim = number("rope.dimension_count", head_dim());
  if (factors == nullptr) {
    fail(invalid("config_tensors: has no values for {}", detail(std::string(name))));
  } else if (2 * static_cast<double>(factors->data.size()) != rotary_dim) {
    fail(invalid("{}: has {} factors; expected one per pair of the {} rotated channels",
                 std::string(name), detail(factors->data.size()), rotary_dim));
  }
  return factors;
}

void GgufConfigReader::read_scaling() {
  const std::string_view type = string("rope.scaling.type");
  const std::optional<double> factor = number("rope.scaling.factor"),
                              original_length = number("rope.scaling.original_context_length"),
                              attention_factor = number("rope.scaling.attn_factor");
  skip("rope.scaling.finetuned");
  const auto set_scaling = [this](const char* key, const std::optional<double>& value) {
    if (value) config[std::string("rope_scaling.") + key] = *value;
  };
  if (const Tensor* stored_factors = read_factors("rope_freqs.weight", false)) {
    // llama.cpp applies the factors in rope_freqs.weight (llama3 scaling) at every sequence length.
    // longrope does the same if its short and long factors are equal.
    if (!type.empty() && type != "none")
      fail(invalid("{}: {} cannot be combined with rope_freqs.weight",
                   full_key("rope.scaling.type"), std::string(type)));
    config["rope_scaling.rope_type"] = std::string("longrope");
    config["rope_scaling.short_factor"] = *stored_factors;
    config["rope_scaling.long_factor"] = *stored_factors;
    config["rope_scaling.attention_factor"] = 1.0;
  } else if (type == "linear") {
    if (!factor) fail(invalid("{}: the key is missing", full_key("rope.scaling.factor")));
    config["rope_scaling.rope_type"] = std::string("linear");
    set_scaling("factor", factor);
  } else if (type == "yarn") {
    if (!factor) fail(invalid("{}: the key is missing", full_key("rope.scaling.factor")));
    config["rope_scaling.rope_type"] = std::string("yarn");
    set_scaling("factor", factor);
    set_scaling("original_max_position_embeddings", original_length);
    set_scaling("beta_fast", number("rope.scaling.yarn_beta_fast"));
    set_scaling("beta_slow", number("rope.scaling.yarn_beta_slow"));
    // llama.cpp multiplies rope.scaling.attn_factor by YaRN's own attention factor.
    if (attention_factor && *attention_factor != 1 && factor)
      set_scaling("attention_factor", *attention_factor * (1 + 0.1 * std::log(*factor)));
  } else if (type == "longrope" || (type.empty() && has_tensor("rope_factors_long.weight"))) {
    config["rope_scaling.rope_type"] = std::string("longrope");
    for (const char* key : {"short", "long"}) {
      const std::string name = std::string("rope_factors_") + key + ".weight";
      if (const Tensor* factors = read_factors(name.c_str(), true))
        config[std::string("rope_scaling.") + key + "_factor"] = *factors;
    }
    if (original_length) config["original_max_position_embeddings"] = *original_length;
    set_scaling("attention_factor", attention_factor.value_or(1));
  } else if (!type.empty() && type != "none") {
    fail(invalid("{}: {} is not supported; expected none, linear, yarn or longrope",
                 full_key("rope.scaling.type"), std::string(type)));
  }
}

void GgufConfigReader::reject_unread_keys() {
  for (const auto& [key, value] : header_.metadata) {
    if (!key.starts_with(prefix_)) continue;
    const std::string_view suffix = std::string_view(key).substr(prefix_.size());
    if (std::find(known_keys_.begin(), known_keys_.end(), suffix) == known_keys_.end())
      return fail(unknown("{}: the key is not known for this architecture", key));
  }
}

}  // namespace phasor
