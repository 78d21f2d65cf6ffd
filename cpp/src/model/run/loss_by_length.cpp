#include <algorithm>

#include "core/format_error.h"
#include "phasor/model.h"

namespace phasor {

Result<std::vector<LengthLoss>> loss_by_length(const Model& model, std::span<const int> input_ids,
                                               const LossByLengthConfig& config) {
  if (!model.info().causal || !model.info().has_head)
    return invalid(
        "input_ids: only a causal model with a language-model head has a next-token loss");
  PHASOR_TRY(check_range("max_windows", config.max_windows, 1, kMaxExtent));
  if (config.lengths.empty()) return invalid("lengths: is empty; expected at least one length");
  const std::size_t prefix_length = config.prefix_ids.size();
  // Without a prefix, the first token cannot be predicted.
  const auto min_length = static_cast<double>(std::max<std::size_t>(prefix_length, 1) + 1);
  const auto max_length = static_cast<double>(prefix_length + input_ids.size());
  for (std::size_t n = 0; n < config.lengths.size(); ++n) {
    const std::string name = format_error("lengths[{}]", static_cast<double>(n));
    if (max_length < min_length)
      return invalid("input_ids: a length of {} is too short to predict a next token",
                     detail(input_ids.size()));
    PHASOR_TRY(check_range(name.c_str(), config.lengths[n], min_length, max_length));
  }
  return Result<std::vector<LengthLoss>>::from([&](std::vector<LengthLoss>& out) -> Status {
    for (const int length : config.lengths) {
      LengthLoss& result = out.emplace_back(LengthLoss{.length = length});
      const std::size_t window_step = static_cast<std::size_t>(length) - prefix_length;
      double sum = 0, count = 0;
      for (std::size_t begin = 0;
           begin + window_step <= input_ids.size() && result.windows < config.max_windows;
           begin += window_step) {
        std::vector<int> window = config.prefix_ids;
        const auto from = input_ids.begin() + static_cast<std::ptrdiff_t>(begin);
        window.insert(window.end(), from, from + static_cast<std::ptrdiff_t>(window_step));
        PHASOR_TRY_ASSIGN(const ModelOutput output, model.run(window, {.output_logits = false,
                                                                       .changes = config.changes,
                                                                       .threads = config.threads}));
        // log_probabilities[t] belongs to token t + 1. Prefix tokens are not counted.
        for (std::size_t t = std::max<std::size_t>(prefix_length, 1) - 1; t + 1 < window.size();
             ++t) {
          sum -= output.log_probabilities[t];
          ++count;
        }
        ++result.windows;
      }
      result.loss = sum / count;
    }
    return {};
  });
}

}  // namespace phasor
