#pragma once
// Computes attention for the query heads that share a kv head, and divides the work among threads.
// For few queries, as in decoding, the heads share one pass over keys and values.

#include <memory>
#include <vector>

#include "attention/streaming/head_pass.h"
#include "core/parallel.h"

namespace phasor {

/// The number of query heads per kv head, if these heads can be computed together: their rows fit
/// one tile and their outputs are contiguous. Otherwise 1. Reads params.use_float64.
int heads_per_pass(const AttentionParams& params, int heads, int kv_heads);

class GroupPass {
 public:
  GroupPass(const AttentionParams& params, const Tiling& tiling, int group_size);

  /// Computes the given rows of all query heads of a kv head. q (heads, queries, head_dim) must
  /// already be transformed by apply_position(). for_each_block(f) must call f(block) for each
  /// block of keys. `products` is the dot-product state of the kv head, or nullptr.
  template <class ForEachBlock>
  Status run(int kv_head, RowRange rows, const Tensor& q, DotProductState* products,
             AttentionResult& out, const ForEachBlock& for_each_block) {
    const int first_head = kv_head * group_size_;
    if (params_.group_size > 1) {
      for (int h = 0; h < group_size_; ++h) start(h, first_head + h, rows, q, out);
      for_each_block([&](const KeyBlock& keys) { process_block(keys, first_head, q, out); });
      for (const auto& pass : passes_) PHASOR_TRY(pass->finish());
      return {};
    }
    HeadPass& pass = *passes_.front();
    pass.set_products(products);
    for (int head = first_head; head < first_head + group_size_; ++head) {
      if (!params_.computes_head(head)) continue;
      start(0, head, rows, q, out);
      for_each_block([&](const KeyBlock& keys) { pass.process_block(keys); });
      PHASOR_TRY(pass.finish());
    }
    return {};
  }

 private:
  void start(int pass, int head, RowRange rows, const Tensor& q, AttentionResult& out);
  void process_block(const KeyBlock& keys, int first_head, const Tensor& q, AttentionResult& out);

  const AttentionParams& params_;
  int group_size_;
  std::vector<std::unique_ptr<HeadPass>>
      passes_;     // one per head of the group, or a single one that is reused
  Buffer scores_;  // (heads * queries, keys)
};

/// Divides a forward pass into parts, which are ranges of rows of one kv head's query heads. Each
/// part runs on one thread. Results do not depend on the division.
class HeadParts {
 public:
  /// Divides the query rows of each kv head into parts. Set `kv_heads` to 1 if all heads are
  /// computed together.
  HeadParts(const AttentionParams& params, const Tiling& tiling, int kv_heads);

  int count() const { return kv_heads_ * parts_per_head_; }
  int threads() const { return std::min(threads_, count()); }
  int kv_head(int part) const { return part % kv_heads_; }
  /// The rows of a part. Earlier parts contain later rows, so that under a causal mask the parts
  /// with the most visible keys start first.
  RowRange rows(int part) const {
    const int begin = (parts_per_head_ - 1 - part / kv_heads_) * rows_per_part_;
    return {begin, std::min(begin + rows_per_part_, queries_)};
  }

  /// Calls body(for_each_part) on each thread, where for_each_part(f) calls f(kv_head, rows) for
  /// each part that the thread computes. Returns the error of the first part that failed.
  template <class Body>
  Status run(const Body& body) const {
    std::vector<Status> errors(static_cast<std::size_t>(count()));
    run_parallel(threads_, count(), [&](WorkItems& items) {
      body([&](const auto& f) {
        for (int part = 0; items.next(part);)
          errors[static_cast<std::size_t>(part)] = f(kv_head(part), rows(part));
      });
    });
    for (Status& error : errors) PHASOR_TRY(std::move(error));
    return {};
  }

 private:
  int threads_, kv_heads_, queries_, parts_per_head_ = 1, rows_per_part_;
};

}  // namespace phasor
