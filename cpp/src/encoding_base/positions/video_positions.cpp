#include "core/format_error.h"
#include "phasor/positions.h"

namespace phasor {

namespace {

Status check_counts(const VideoText& text) {
  PHASOR_TRY(check_range("before", text.before, 0, kMaxExtent));
  PHASOR_TRY(check_range("after", text.after, 0, kMaxExtent));
  for (const int count : {text.frames, text.rows, text.columns}) {
    PHASOR_TRY(check_range("grid", count, 0, kMaxExtent));
    if ((count == 0) != (text.frames == 0))
      return invalid("grid: {} has no patches; expected 0 x 0 x 0 if there is no video",
                     std::vector<int>{text.frames, text.rows, text.columns});
  }
  return check_range(argument("frame_step"), text.frame_step, 0, kMaxExtent);
}

}  // namespace

Result<TokenPositions> video_positions(const VideoText& text) {
  return Result<TokenPositions>::from([&](TokenPositions& out) -> Status {
    PHASOR_TRY(check_counts(text));
    const double tokens = static_cast<double>(text.before) + text.after +
                          static_cast<double>(text.frames) * text.rows * text.columns;
    PHASOR_TRY(check_range("tokens", tokens, 1, kMaxExtent));
    PHASOR_TRY(check_memory("grid", 3 * sizeof(double) * tokens));
    out.axes = 3;
    out.values.reserve(3 * static_cast<std::size_t>(tokens));
    const auto add_token = [&](double time, double row, double column) {
      for (const double x : {time, row, column}) out.values.push_back(x);
    };
    for (int t = 0; t < text.before; ++t) add_token(t, t, t);
    for (int k = 0; k < text.frames; ++k) {
      const double time = text.before + text.frame_step * k;
      for (int r = 0; r < text.rows; ++r) {
        for (int c = 0; c < text.columns; ++c)
          add_token(time, time + r - (text.rows - 1) / 2, time + c - (text.columns - 1) / 2);
      }
    }
    const double next_position =
        text.before + (text.frames > 0 ? text.frame_step * (text.frames - 1) + 1 : 0);
    for (int t = 0; t < text.after; ++t)
      add_token(next_position + t, next_position + t, next_position + t);
    return {};
  });
}

}  // namespace phasor
