// Positions of padded texts. References: create_position_ids_from_input_ids of RoBERTa, OPTLearnedPositionalEmbedding and
// build_alibi_tensor of BLOOM, all in Hugging Face transformers 4.57.

#include "core/format_error.h"
#include "phasor/combine.h"

namespace phasor {

Result<std::vector<double>> position_ids(std::span<const std::uint8_t> visible, PositionIdMode how, int padding_idx, int past) {
  return Result<std::vector<double>>::from([&](std::vector<double>& out) -> Status {
    PHASOR_TRY(check_range("visible", static_cast<double>(visible.size()), 1, kMaxExtent));
    PHASOR_TRY(check_range(argument("padding_idx").c_str(), padding_idx, 0, kMaxExtent));
    PHASOR_TRY(check_range("past", past, 0, kMaxExtent));
    out.assign(visible.size(), 0);
    double seen = past;
    for (std::size_t t = 0; t < visible.size(); ++t) {
      const double counted = visible[t] != 0 ? ++seen : 0.0;
      switch (how) {
        case PositionIdMode::fairseq: out[t] = counted + padding_idx; break;
        case PositionIdMode::opt: out[t] = counted - 1; break;
        case PositionIdMode::bloom: out[t] = visible[t] != 0 ? counted - 1 : 0; break;
      }
    }
    return {};
  });
}

}  // namespace phasor
