#include "attention/cache/head_cache.h"

#include "attention/streaming/memory_estimate.h"

namespace phasor {

namespace {

void append_row(std::vector<float>& rows, const float* row, int count) {
  const std::size_t before = rows.size();
  rows.resize(before + static_cast<std::size_t>(count));
  std::copy_n(row, count, rows.data() + before);
}

// Numbers that move when rows get longer than their place.
double moved(const std::vector<float>& rows, int length, int width) {
  const double needed = static_cast<double>(length) * width,
               held = static_cast<double>(rows.capacity());
  return needed <= held ? 0 : std::max(needed, 2 * held);
}

}  // namespace

void HeadCache::append(const ConstMatrixRef& k, const ConstMatrixRef& v) {
  for (int r = 0; r < k.rows; ++r, ++length_) {
    const int column = length_ % kBlockKeys;
    if (column == 0) {
      keys_.emplace_back(kernels::packed_size(width_, kBlockKeys));
      values_.emplace_back(kernels::packed_size(kBlockKeys, value_width_));
    }
    kernels::pack_transposed(phasor::rows_of(k, r, 1), column, keys_.back().data());
    kernels::pack(phasor::rows_of(v, r, 1), column, kBlockKeys, values_.back().data());
    if (keep_keys_) append_row(rows_, k.row(r), width_);
    if (keep_values_) append_row(value_rows_, v.row(r), value_width_);
  }
}

double HeadCache::growth(int added) const {
  const int length = length_ + added;
  const int new_blocks = (length + kBlockKeys - 1) / kBlockKeys - blocks();
  const double rows = (keep_keys_ ? moved(rows_, length, width_) : 0) +
                      (keep_values_ ? moved(value_rows_, length, value_width_) : 0);
  return new_blocks * packed_bytes(kBlockKeys, width_, value_width_) + sizeof(float) * rows;
}

double HeadCache::bytes() const {
  return blocks() * packed_bytes(kBlockKeys, width_, value_width_) +
         sizeof(float) * static_cast<double>(rows_.size() + value_rows_.size());
}

void HeadCache::truncate(int length) {
  length_ = length;
  const int blocks = (length + kBlockKeys - 1) / kBlockKeys;
  erase_tail(keys_, blocks);
  erase_tail(values_, blocks);
  if (keep_keys_) erase_tail(rows_, static_cast<std::ptrdiff_t>(length) * width_);
  if (keep_values_) erase_tail(value_rows_, static_cast<std::ptrdiff_t>(length) * value_width_);
}

KeyBlock HeadCache::block(int b) {
  const int first = b * kBlockKeys, count = std::min(kBlockKeys, length_ - first);
  const std::size_t at = static_cast<std::size_t>(b);
  kernels::Panels values = kernels::panels(values_[at].data(), kBlockKeys, value_width_);
  return {first, kernels::panels(keys_[at].data(), width_, count), values.rows_from(0, count),
          phasor::rows_of(key_rows(), first, count)};
}

void HeadCache::unpack(const MatrixRef& keys, const MatrixRef& values) {
  for (int t = 0; t < length_; ++t) {
    const KeyBlock from = block(t / kBlockKeys);
    for (int c = 0; c < width_; ++c) keys.row(t)[c] = from.keys.at(c, t % kBlockKeys);
    for (int c = 0; c < value_width_; ++c) values.row(t)[c] = from.values.at(t % kBlockKeys, c);
  }
}

KeyBlock SingleBlock::pack(HeadCache& store, bool unpacks) {
  const int length = store.length();
  packed_.emplace(length, store.width(), store.value_width());
  if (!unpacks) return packed_->pack(store.key_rows(), store.value_rows(), 0, length);
  keys_ = Tensor({length, store.width()});
  values_ = Tensor({length, store.value_width()});
  store.unpack(matrix(keys_), matrix(values_));
  return packed_->pack(matrix(std::as_const(keys_)), matrix(std::as_const(values_)), 0, length);
}

}  // namespace phasor
