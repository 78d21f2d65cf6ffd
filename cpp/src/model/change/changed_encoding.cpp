#include "model/change/changed_encoding.h"

#include <algorithm>

namespace phasor::model {

std::vector<double> PositionMap::map_positions(Positions indices) const {
  std::vector<double> out(indices.values().begin(), indices.values().end());
  for (double& position : out) {
    if (!order.empty() && position < static_cast<double>(order.size()))
      position = order[static_cast<std::size_t>(position)];
    position += shift;
  }
  return out;
}

namespace {

template <class F>
void for_each_channel(const std::vector<int>& channels, Tensor& x, const F& f) {
  for (int head = 0; head < x.shape[0]; ++head) {
    const MatrixRef rows = matrix(x, head);
    for (int t = 0; t < rows.rows; ++t)
      for (const int channel : channels) f(rows.row(t)[channel]);
  }
}

void set_zero(const std::vector<int>& channels, Tensor& x) {
  for_each_channel(channels, x, [](float& value) { value = 0; });
}

// Calls f(), which overwrites x, and then restores the given channels of x.
template <class F>
void run_and_restore(const std::vector<int>& channels, Tensor& x, const F& f) {
  std::vector<float> saved_values;
  for_each_channel(channels, x, [&](float& value) { saved_values.push_back(value); });
  f();
  auto next = saved_values.begin();
  for_each_channel(channels, x, [&](float& value) { value = *next++; });
}

// Base of ChangedRotation and ChangedBias. Forwards calls to the original encoding.
template <class Base>
class ChangedEncoding : public Base {
 public:
  ChangedEncoding(std::shared_ptr<Encoding> encoding, EncodingChange change)
      : encoding_(std::move(encoding)), change_(std::move(change)) {
    this->id = encoding_->id;
  }

  std::vector<Parameter*> parameters() override { return encoding_->parameters(); }
  std::optional<double> scale(int head_dim) const override { return encoding_->scale(head_dim); }
  bool causal_only() const override { return encoding_->causal_only(); }
  Status check_positions(Positions positions) const override {
    return encoding_->check_positions(change_.positions.map_positions(positions));
  }
  Status check_distances(Positions queries, Positions keys) const override {
    return encoding_->check_distances(change_.positions.map_positions(queries),
                                      change_.positions.map_positions(keys));
  }

 protected:
  std::shared_ptr<Encoding> encoding_;
  EncodingChange change_;
};

class ChangedRotation final : public ChangedEncoding<QueryKeyEncoding> {
 public:
  using ChangedEncoding::ChangedEncoding;

  int transformed_dim(int dim) const override { return base().transformed_dim(dim); }
  bool is_linear() const override { return base().is_linear(); }
  void transform(Role role, Positions indices, Tensor& x) const override {
    const std::vector<double> positions = change_.positions.map_positions(indices);
    run_and_restore(change_.unrotated_channels, x, [&] { base().transform(role, positions, x); });
    if (role == Role::query) set_zero(change_.zeroed_channels, x);
  }
  void transform_backward(Role role, Positions indices, const Tensor& x, Tensor& d_x) override {
    const std::vector<double> positions = change_.positions.map_positions(indices);
    if (role == Role::query) set_zero(change_.zeroed_channels, d_x);
    run_and_restore(change_.unrotated_channels, d_x,
                    [&] { base().transform_backward(role, positions, x, d_x); });
  }

 private:
  QueryKeyEncoding& base() const { return *encoding_->as_query_key(); }
};

class ChangedBias final : public ChangedEncoding<ScoreEncoding> {
 public:
  using ChangedEncoding::ChangedEncoding;

  bool is_toeplitz() const override {
    return change_.positions.order.empty() && base().is_toeplitz();
  }
  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    base().add_bias(original_head(head), change_.positions.map_positions(queries),
                    change_.positions.map_positions(keys), tile);
  }
  void bias_backward(int head, Positions queries, Positions keys, ConstMatrixRef d_tile) override {
    base().bias_backward(original_head(head), change_.positions.map_positions(queries),
                         change_.positions.map_positions(keys), d_tile);
  }

 private:
  ScoreEncoding& base() const { return *encoding_->as_score_bias(); }
  int original_head(int head) const {
    return change_.heads.empty() ? head : change_.heads[static_cast<std::size_t>(head)];
  }
};

}  // namespace

std::shared_ptr<const Encoding> create_changed_encoding(std::shared_ptr<Encoding> base,
                                                        EncodingChange change) {
  const bool is_bias = base->as_score_bias() != nullptr;
  if (change.positions.is_identity() && change.unrotated_channels.empty() &&
      change.zeroed_channels.empty() && (!is_bias || change.heads.empty()))
    return base;
  if (is_bias) return std::make_shared<ChangedBias>(std::move(base), std::move(change));
  return std::make_shared<ChangedRotation>(std::move(base), std::move(change));
}

}  // namespace phasor::model
