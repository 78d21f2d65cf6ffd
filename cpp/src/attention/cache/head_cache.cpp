#include "attention/cache/head_cache.h"

#include "attention/streaming/memory_estimate.h"

namespace phasor {

namespace {

void append_row(std::vector<float>& rows, const float* row, int count) {
  const std::size_t size = rows.size();
  rows.resize(size + static_cast<std::size_t>(count));
  std::copy_n(row, count, rows.data() + size);
}

// Number of floats that a reallocation of `rows` would allocate; 0 if the capacity suffices.
double reallocated_floats(const std::vector<float>& rows, int length, int head_dim) {
  const double required_floats = static_cast<double>(length) * head_dim,
               allocated_floats = static_cast<double>(rows.capacity());
  return required_floats <= allocated_floats ? 0 : std::max(required_floats, 2 * allocated_floats);
}

}  // namespace

void HeadCache::append(const ConstMatrixRef& k, const ConstMatrixRef& v) {
  for (int r = 0; r < k.rows; ++r, ++length_) {
    const int column = length_ % kBlockKeys;
    if (column == 0) {
      keys_.emplace_back(kernels::packed_size(head_dim_, kBlockKeys));
      values_.emplace_back(kernels::packed_size(kBlockKeys, v_head_dim_));
    }
    kernels::pack_transposed(phasor::rows_of(k, r, 1), column, keys_.back().data());
    kernels::pack(phasor::rows_of(v, r, 1), column, kBlockKeys, values_.back().data());
    if (stores_key_rows_) append_row(key_rows_, k.row(r), head_dim_);
    if (stores_value_rows_) append_row(value_rows_, v.row(r), v_head_dim_);
  }
}

double HeadCache::growth_bytes(int new_tokens) const {
  const int length = length_ + new_tokens;
  const int new_blocks = (length + kBlockKeys - 1) / kBlockKeys - block_count();
  const double rows =
      (stores_key_rows_ ? reallocated_floats(key_rows_, length, head_dim_) : 0) +
      (stores_value_rows_ ? reallocated_floats(value_rows_, length, v_head_dim_) : 0);
  return new_blocks * packed_bytes(kBlockKeys, head_dim_, v_head_dim_) + sizeof(float) * rows;
}

double HeadCache::bytes() const {
  return block_count() * packed_bytes(kBlockKeys, head_dim_, v_head_dim_) +
         sizeof(float) * static_cast<double>(key_rows_.size() + value_rows_.size());
}

void HeadCache::truncate(int length) {
  length_ = length;
  const int blocks = (length + kBlockKeys - 1) / kBlockKeys;
  erase_tail(keys_, blocks);
  erase_tail(values_, blocks);
  if (stores_key_rows_) erase_tail(key_rows_, static_cast<std::ptrdiff_t>(length) * head_dim_);
  if (stores_value_rows_)
    erase_tail(value_rows_, static_cast<std::ptrdiff_t>(length) * v_head_dim_);
}

KeyBlock HeadCache::block(int b) {
  const int first = b * kBlockKeys, count = std::min(kBlockKeys, length_ - first);
  const std::size_t i = static_cast<std::size_t>(b);
  kernels::Panels values = kernels::make_panels(values_[i].data(), kBlockKeys, v_head_dim_);
  return {first, kernels::make_panels(keys_[i].data(), head_dim_, count),
          values.slice_rows(0, count), phasor::rows_of(key_rows(), first, count)};
}

void HeadCache::unpack(const MatrixRef& keys, const MatrixRef& values) {
  for (int t = 0; t < length_; ++t) {
    const KeyBlock source = block(t / kBlockKeys);
    for (int c = 0; c < head_dim_; ++c) keys.row(t)[c] = source.keys.at(c, t % kBlockKeys);
    for (int c = 0; c < v_head_dim_; ++c) values.row(t)[c] = source.values.at(t % kBlockKeys, c);
  }
}

KeyBlock WholeHeadPacker::pack(HeadCache& head_cache, bool should_unpack) {
  const int length = head_cache.length();
  packer_.emplace(length, head_cache.head_dim(), head_cache.v_head_dim());
  if (!should_unpack)
    return packer_->pack(head_cache.key_rows(), head_cache.value_rows(), 0, length);
  keys_ = Tensor({length, head_cache.head_dim()});
  values_ = Tensor({length, head_cache.v_head_dim()});
  head_cache.unpack(matrix(keys_), matrix(values_));
  return packer_->pack(matrix(std::as_const(keys_)), matrix(std::as_const(values_)), 0, length);
}

}  // namespace phasor
