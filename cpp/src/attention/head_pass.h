#pragma once
// One head's queries on their way through its keys, a block of keys at a time, with a running softmax (Milakov and Gimelshein
// 2018, arXiv 1805.02867; Dao et al. 2022, arXiv 2205.14135): memory for a tile of scores, and two numbers for each query.

#include "attention/bias_rows.h"
#include "attention/visible.h"
#include "kernels/aligned.h"
#include "kernels/kernels.h"

namespace phasor {

/// How the matrix of scores is cut. A row's result does not depend on which rows share its tile, so that work may be split
/// between queries anywhere and give the same bits.
struct Tiling {
  int block = 0;       ///< keys that are packed at a time
  int keys = 0;        ///< keys in a tile
  int rows = 0;        ///< queries in a tile
  bool whole = false;  ///< every tile has all keys, even those nobody sees
};

/// Tiles of whole rows where an answer or the encoding needs them; else as large as the caches like.
Tiling tiling(const AttendJob& job);

/// Some keys and values, packed. The encodings of content see the keys as rows too.
struct KeyBlock {
  int first = 0;            ///< key of the first column
  kernels::Panels keys;     ///< (width, count)
  kernels::Panels values;   ///< (count, value width)
  ConstMatrixRef key_rows;  ///< (count, width)
};

class HeadPass {
 public:
  HeadPass(const AttendJob& job, const Tiling& tiling);

  /// Starts a head. q (queries, width) is already transformed; output (queries, value width) is 0. `out` gets the wanted arrays.
  void start(int head, ConstMatrixRef q, MatrixRef output, AttentionResult& out);
  void block(const KeyBlock& keys);
  /// Turns sums into means.
  void finish();

 private:
  struct RowState {
    float top;     // the largest score so far; -infinity before the first visible key
    double total;  // of e^(score - top)
  };

  void tile(const KeyBlock& keys, int row, int rows, int first_key, int count);
  void add_position(const ContentTile& content, int row, int first_key, MatrixRef scores, MatrixRef bias) const;
  void weigh(int row, MatrixRef scores, MatrixRef output);
  void keep_weights(int row, ConstMatrixRef weights);

  const AttendJob& job_;
  Tiling tiling_;
  BiasRows bias_rows_;
  std::vector<KeyRange> ranges_;
  std::vector<float> hidden_;
  kernels::Aligned tile_;
  std::vector<RowState> states_;
  int head_ = 0;
  ConstMatrixRef q_;
  MatrixRef output_;
  AttentionResult* out_ = nullptr;
};

}  // namespace phasor
