// Computes positions for padded sequences. References: create_position_ids_from_input_ids of
// RoBERTa, OPTLearnedPositionalEmbedding and build_alibi_tensor of BLOOM, all in Hugging Face
// transformers 4.57.

#include "core/format_error.h"
#include "phasor/combine.h"

namespace phasor {

Result<std::vector<double>> position_ids(std::span<const std::uint8_t> attention_mask,
                                         PositionIdMode mode, int padding_idx, int past_length) {
  return Result<std::vector<double>>::from([&](std::vector<double>& out) -> Status {
    PHASOR_TRY(check_range(argument("attention_mask"), static_cast<double>(attention_mask.size()),
                           1, kMaxExtent));
    PHASOR_TRY(check_range(argument("padding_idx"), padding_idx, 0, kMaxExtent));
    PHASOR_TRY(check_range(argument("past_length"), past_length, 0, kMaxExtent));
    PHASOR_TRY(check_memory("attention_mask",
                            sizeof(double) * static_cast<double>(attention_mask.size())));
    out.assign(attention_mask.size(), 0);
    double token_count = past_length;
    for (std::size_t t = 0; t < attention_mask.size(); ++t) {
      const double token_number = attention_mask[t] != 0 ? ++token_count : 0.0;
      switch (mode) {
        case PositionIdMode::fairseq: out[t] = token_number + padding_idx; break;
        case PositionIdMode::opt: out[t] = token_number - 1; break;
        case PositionIdMode::bloom: out[t] = attention_mask[t] != 0 ? token_number - 1 : 0; break;
      }
    }
    return {};
  });
}

}  // namespace phasor
