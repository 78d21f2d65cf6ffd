#include <memory>

#include "core/format_error.h"
#include "phasor/analysis.h"
#include "phasor/evaluate.h"
#include "phasor/registry.h"

namespace phasor {

Result<std::vector<Wave>> table_waves(const EncodingConfig& config, int width) {
  return Result<std::vector<Wave>>::from([&](std::vector<Wave>& out) -> Status {
    Tensor row;  // of any position: that there is a table of this width is checked there
    PHASOR_TRY(table(config, std::vector<double>{0}, width).move_to(row));
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(create(config, {.width = width}).move_to(encoding));
    const WaveTableEncoding* waves = std::as_const(*encoding).as_waves();
    if (waves == nullptr)
      return invalid("encoding: the table of {} is not made of waves", config.id);
    PHASOR_TRY(check_room("width", sizeof(Wave) * static_cast<double>(row.shape[1])));
    out = waves->waves(width);
    for (const Wave& wave : out)
      PHASOR_TRY(check_result("encoding", static_cast<float>(wave.frequency), "a frequency of {}",
                              config.id));
    return {};
  });
}

}  // namespace phasor
