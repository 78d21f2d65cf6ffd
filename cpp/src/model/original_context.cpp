#include "model/original_context.h"

#include "core/format_error.h"

namespace phasor::model {

namespace {

// As a GGUF of Llama 3 has its scaling: the same divisors for every length.
bool has_one_list_of_factors(const Params& config) {
  const auto factors = [&](const char* key) {
    const ParamValue* value = config.find(key);
    return value != nullptr ? std::get_if<Tensor>(value) : nullptr;
  };
  const Tensor *shorter = factors("rope_scaling.short_factor"),
               *longer = factors("rope_scaling.long_factor");
  return shorter != nullptr && longer != nullptr && shorter->data == longer->data;
}

}  // namespace

int original_context(const Params& config) {
  const auto word = [&](const char* key) {
    const ParamValue* value = config.find(key);
    const auto* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
    return text != nullptr ? std::string_view(*text) : std::string_view();
  };
  constexpr ChoiceList kByLength = "dynamic, longrope, su";
  const bool is_by_length = kByLength.find(word("rope_scaling.type")) >= 0 ||
                            kByLength.find(word("rope_scaling.rope_type")) >= 0 ||
                            kByLength.find(word("rope_parameters.rope_type")) >= 0;
  if (!is_by_length || has_one_list_of_factors(config)) return 0;
  for (const char* key : {"rope_scaling.original_max_position_embeddings",
                          "rope_parameters.original_max_position_embeddings",
                          "original_max_position_embeddings", "max_position_embeddings"}) {
    const ParamValue* value = config.find(key);
    const auto* number = value != nullptr ? std::get_if<double>(value) : nullptr;
    if (number != nullptr && *number >= 1 && *number <= kMaxExtent)
      return static_cast<int>(*number);
  }
  return 1;
}

}  // namespace phasor::model
