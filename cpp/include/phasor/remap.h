#pragma once
// RoPE at other distances than those of the text, for texts longer than a model was trained on
// (parameter `remap` of rope). Each is a formula for the distance of query i and key j <= i at
// which the scores of RoPE are taken; windows count the token itself.
//   self_extend   i - j if < window, else floor(i/G) - floor(j/G) + w - floor(w/G)
//                 (Jin et al. 2024, arXiv 2401.01325; datamllab/LongLM)
//   rerope        min(i - j, window)   (Su 2023, bojone/rerope)
//   leaky_rerope  i - j if < window, else w + (i - j - w) / factor   (the same)
//   lm_infinite   i - j inside the window, else max_distance; seen are keys of the window and the
//                 first sink_tokens   (Han et al. 2023, arXiv 2308.16137)
//   dual_chunk    same chunk of S: i - j; the chunk before: min(i mod S + S, C) - j mod S; older:
//                 min(2S - 1, C) - j mod S   (An et al. 2024, arXiv 2402.17463)
// Where G does not divide w, floor(w/G) lets the distance skip one at the border, as in LongLM's
// code. The paper of dual chunk has C = training length - 1, its code C = training length, and
// multiplies q and k by 0.05 ln s + 1, which is not here.

#include <cstdint>

namespace phasor {

struct Remap {
  enum class Kind : std::uint8_t {
    none,
    self_extend,
    rerope,
    leaky_rerope,
    lm_infinite,
    dual_chunk
  };

  Kind kind = Kind::none;
  double window = 0;        ///< w, or S of dual_chunk
  double group = 1;         ///< G, or the factor of leaky_rerope
  double far = 0;           ///< max_distance, or C of dual_chunk
  double train_length = 0;  ///< rerope: scores of query i times max(1, ln(i + 1) / ln of this)

  static constexpr int kRanges = 3;
  /// In how many ranges of keys the distances have a formula of their own; the nearest is 0.
  int ranges() const { return kind == Kind::none ? 1 : kind == Kind::dual_chunk ? 3 : 2; }
  /// Position from which a key is in this range or a nearer one; -infinity for the last.
  double first_key(int range, double query) const;
  /// The distance in a range is the place of the query less that of the key.
  double query_place(int range, double query) const;
  double key_place(int range, double key) const;
  /// Which of the rotated copies of a key belongs to this range: ranges may share one.
  int key_copy(int range) const { return kind == Kind::dual_chunk ? 0 : range; }
  int key_copies() const { return kind == Kind::dual_chunk ? 1 : ranges(); }

  double distance(double query, double key) const;
  /// The factor on the scores of a query.
  double query_factor(double query) const;
};

}  // namespace phasor
