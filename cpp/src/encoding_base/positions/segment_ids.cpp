#include <cstddef>

#include "core/format_error.h"
#include "phasor/positions.h"

namespace phasor {

Result<std::vector<int>> segment_ids(std::span<const int> cu_seqlens) {
  return Result<std::vector<int>>::from([&](std::vector<int>& out) -> Status {
    if (cu_seqlens.empty() || cu_seqlens.front() != 0)
      return invalid("{}: does not start at 0; expected cumulative lengths",
                     argument("cu_seqlens"));
    for (std::size_t s = 1; s < cu_seqlens.size(); ++s) {
      if (cu_seqlens[s] < cu_seqlens[s - 1])
        return invalid("{}: {} is below the previous entry, {}",
                       Subject{format_error("{}[{}]", argument("cu_seqlens"), s)}, cu_seqlens[s],
                       cu_seqlens[s - 1]);
    }
    PHASOR_TRY(check_extent(argument("cu_seqlens"), cu_seqlens.back()));
    for (std::size_t s = 1; s < cu_seqlens.size(); ++s)
      out.insert(out.end(), static_cast<std::size_t>(cu_seqlens[s] - cu_seqlens[s - 1]),
                 static_cast<int>(s) - 1);
    return {};
  });
}

}  // namespace phasor
