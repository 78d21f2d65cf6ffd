#pragma once
// The products of one head of keys at a time, for an encoding that forms them itself.

#include "attention/streaming/attend.h"
#include "core/format_error.h"

namespace phasor {

class HeadProducts {
 public:
  HeadProducts(const AttendJob& job, int width, bool learns)
      : job_(job), encoding_(job.encoding->as_products()), width_(width), learns_(learns) {}

  Status check_room(int queries, int keys) const {
    if (encoding_ == nullptr) return {};
    return phasor::check_room("q", encoding_->product_bytes(queries, keys, width_, learns_));
  }

  /// Those of this head of k (kv_heads, keys, width), until another is asked for; nullptr where the
  /// encoding has none.
  KeyProducts* of_head(int kv_head, const Tensor& k) {
    if (encoding_ == nullptr || kv_head == kv_head_) return products_.get();
    kv_head_ = kv_head;
    if (products_ == nullptr || !products_->next_head()) {
      products_ = encoding_->products(kv_head, width_, learns_);
      products_->next_head();
    }
    products_->append(matrix(k, kv_head), job_.keys, job_.tokens);
    return products_.get();
  }

 private:
  const AttendJob& job_;
  const ProductEncoding* encoding_;
  int width_, kv_head_ = -1;
  bool learns_;
  std::unique_ptr<KeyProducts> products_;
};

}  // namespace phasor
