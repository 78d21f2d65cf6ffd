#pragma once
// Positions of tokens.

#include <cstddef>
#include <span>
#include <vector>

#include "phasor/result.h"

namespace phasor {

/// The largest absolute value of a position: 2^31 - 1.
inline constexpr double kMaxPosition = 2147483647.0;

/// A non-owning view of positions, in tokens. Positions are doubles, because they may be fractional
/// and angles are computed in double. A token has `axes` coordinates: one for text, two for images
/// (row and column), and three for text with video (time, row and column).
class Positions {
 public:
  Positions() = default;
  Positions(std::span<const double> values, int axes = 1) : values_(values), axes_(axes) {}
  Positions(const std::vector<double>& values, int axes = 1)
      : Positions(std::span<const double>(values), axes) {}

  /// Number of tokens.
  int count() const { return axes_ < 1 ? 0 : static_cast<int>(values_.size()) / axes_; }
  int axes() const { return axes_; }
  std::span<const double> values() const { return values_; }

  /// The first coordinate of a token's position.
  double operator[](int token) const { return at(token, 0); }
  double at(int token, int axis) const {
    return values_[static_cast<std::size_t>(token) * static_cast<std::size_t>(axes_) +
                   static_cast<std::size_t>(axis)];
  }
  /// The positions of tokens [first, first + count).
  Positions part(int first, int count) const {
    const std::size_t stride = static_cast<std::size_t>(axes_);
    return {values_.subspan(static_cast<std::size_t>(first) * stride,
                            static_cast<std::size_t>(count) * stride),
            axes_};
  }

 private:
  std::span<const double> values_;
  int axes_ = 1;
};

/// Consecutive positions of `length` tokens: position_offset, position_offset + 1 and so on.
/// `position_offset` must be a whole number. Rejects positions outside -kMaxPosition to
/// kMaxPosition.
Result<std::vector<double>> consecutive_positions(double position_offset, int length);

/// Converts cumulative lengths of packed sequences, like FlashAttention's cu_seqlens, to segment
/// ids: {0, 3, 5} gives {0, 0, 0, 1, 1}. The lengths must start at 0 and never decrease.
Result<std::vector<int>> segment_ids(std::span<const int> cu_seqlens);

/// Positions stored in a configuration, such as {{0, 1, 2}} for three text tokens or {{0, 0, 0, 1,
/// 1, 0, 1, 1}, 2} for 2 x 2 patches.
struct TokenPositions {
  std::vector<double> values{};  ///< the coordinates of token t start at index t * axes
  int axes = 1;

  bool empty() const { return values.empty(); }
};

/// Token counts of a text that contains one video.
struct VideoText {
  int before = 0;                         ///< tokens of text before the video
  int frames = 0, rows = 0, columns = 0;  ///< size of the video in patches; all 0: no video
  int after = 0;                          ///< tokens of text after the video
  /// Difference between the positions of consecutive frames
  double frame_step = 2;
};

/// Positions of text with a video, for mrope with arrangement = video (VideoRoPE, Wei et al. 2025,
/// arXiv 2502.05173, section 4): time, row and column of each token, frame by frame and row by row.
/// All three coordinates of a text token are its index. Frame k is at the time t = before +
/// frame_step * k; its rows and columns are centred on t: row or column (n - 1) / 2 of n, rounded
/// down, is at t. Text continues 1 after the last frame. Rejects counts below 0, videos whose size
/// is 0 along only some axes, empty sequences, and a frame_step outside 0 to 1048576.
Result<TokenPositions> video_positions(const VideoText& text);

}  // namespace phasor
