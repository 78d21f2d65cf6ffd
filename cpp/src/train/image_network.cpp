// A network that maps encoded pixel coordinates to colours.

#include <cmath>

#include "core/format_error.h"
#include "nn/mlp.h"
#include "phasor/registry.h"
#include "train/trainable.h"
#include "train/transformer.h"

namespace phasor {

namespace {

class ImageNetwork final : public TrainableModel {
 public:
  explicit ImageNetwork(const TrainConfig& config) : config_(config) {}

  Status create() {
    const Tensor& image = config_.image;
    PHASOR_TRY(check_tensor("image", image));
    if (image.rank() != 3 || image.shape[0] < 2 || image.shape[1] < 2 || image.shape[2] > 4) {
      return invalid(
          "image: has shape {}; expected rows x columns x channels of at least 2 x 2 x 1 and at "
          "most 4 channels",
          image.shape);
    }
    if (static_cast<double>(image.shape[0]) * image.shape[1] > kMaxExtent)
      return invalid("image: {} x {} pixels are too many; expected at most {}",
                     detail(image.shape[0]), image.shape[1], kMaxExtent);
    for (std::size_t i = 0; i < image.data.size(); ++i) {
      PHASOR_TRY(check_range(format_error("image[{}]", i).c_str(),
                             static_cast<double>(image.data[i]), 0, 1));
    }
    PHASOR_TRY(phasor::create_encoding(config_.encoding, {.length = image.shape[0] * image.shape[1],
                                                          .dim = 2 * config_.embed_dim,
                                                          .axes = 2})
                   .move_to(encoding_));
    if (encoding_->injection() != Injection::none && encoding_->as_table() == nullptr) {
      return invalid("encoding: {} has no table, but the image task needs one",
                     config_.encoding.id);
    }
    if (!encoding_->parameters().empty()) {
      return invalid("encoding: {} has learned parameters, which the image task does not train",
                     config_.encoding.id);
    }
    PHASOR_TRY(make_inputs(0, train_x_, train_y_));
    PHASOR_TRY(make_inputs(1, test_x_, test_y_));
    std::vector<int> widths = {train_x_.shape[1]};
    for (int n = 0; n < config_.layers; ++n) widths.push_back(config_.embed_dim);
    widths.push_back(image.shape[2]);
    PHASOR_TRY(check_memory("image", nn::Mlp::bytes(widths, train_x_.shape[0])));
    network_ = nn::Mlp(widths, select_level(config_));
    for (int n = 0; n < network_.layer_count(); ++n) {
      const std::string name = format_error("layers.{}.", n);
      arena.add(name + "weight", {network_.layer_width(n + 1), network_.layer_width(n)});
      arena.add(name + "bias", {network_.layer_width(n + 1)});
    }
    arena.allocate();
    Generator random(config_.seed, RandomPurpose::weights, 0);
    network_.init_parameters(random, arena.values.data());
    return {};
  }

  double working_bytes() const override { return 0; }

  Result<double> compute_gradients(std::uint64_t) override {
    const MatrixRef out = network_.forward(arena.values.data(), matrix(train_x_));
    const double loss = squared_error(out, train_y_);
    const float gradient_scale = 2 / static_cast<float>(train_y_.data.size());
    std::size_t i = 0;
    for (float* y = out.data; y < out.data + train_y_.data.size(); ++y, ++i)
      *y = gradient_scale * (*y - train_y_.data[i]) * *y * (1 - *y);
    network_.backward(arena.values.data(), arena.grads.data());
    return loss;
  }

  Status evaluate(const EvaluateConfig& config, Evaluation& out) override {
    if (!config.lengths.empty()) return invalid("lengths: cannot be set for the image task");
    const auto decibels = [](double error) { return -10 / std::log(10.0) * std::log(error); };
    LengthScore score;
    score.loss = squared_error(network_.forward(arena.values.data(), matrix(test_x_)), test_y_);
    score.score = decibels(score.loss);
    out.lengths.push_back(score);
    out.metrics.add(
        "train_decibels",
        decibels(squared_error(network_.forward(arena.values.data(), matrix(train_x_)), train_y_)));
    // The chance score is that of predicting the mean colour for every pixel.
    const int channels = config_.image.shape[2];
    double error = 0;
    for (int c = 0; c < channels; ++c) {
      double mean = 0;
      for (int r = 0; r < test_y_.shape[0]; ++r)
        mean += static_cast<double>(matrix(test_y_).row(r)[c]) / test_y_.shape[0];
      for (int r = 0; r < test_y_.shape[0]; ++r) {
        const double difference = static_cast<double>(matrix(test_y_).row(r)[c]) - mean;
        error += difference * difference;
      }
    }
    out.chance = decibels(error / static_cast<double>(test_y_.data.size()));
    return check_result("image", score.loss, "the error");
  }

 private:
  // Collects every second pixel of every second row, starting at row and column `first`. x receives
  // the inputs and y the colours.
  Status make_inputs(int first, Tensor& x, Tensor& y) const {
    const Tensor& image = config_.image;
    const int rows = image.shape[0], columns = image.shape[1], channels = image.shape[2];
    std::vector<double> positions;
    std::vector<float> colours;
    for (int r = first; r < rows; r += 2) {
      for (int c = first; c < columns; c += 2) {
        positions.push_back(static_cast<double>(r) / rows);
        positions.push_back(static_cast<double>(c) / columns);
        const float* pixel = image.data.data() + (r * columns + c) * channels;
        colours.insert(colours.end(), pixel, pixel + channels);
      }
    }
    const int count = static_cast<int>(positions.size()) / 2;
    y = Tensor({count, channels}, std::move(colours));
    if (const TableEncoding* table = encoding_->as_table()) {
      const Positions pixel_positions(positions, 2);
      PHASOR_TRY(encoding_->check_positions(pixel_positions));
      x = Tensor({count, table->table_dim(2 * config_.embed_dim)});
      table->table(pixel_positions, matrix(x));
      return check_tensor("encoding", x);
    }
    x = Tensor({count, 2});
    for (std::size_t i = 0; i < positions.size(); ++i) x.data[i] = static_cast<float>(positions[i]);
    return {};
  }

  // Converts `out` to colours in place, with the sigmoid, and returns their mean squared error.
  static double squared_error(const MatrixRef& out, const Tensor& y) {
    double sum = 0;
    for (std::size_t i = 0; i < y.data.size(); ++i) {
      float& value = out.data[i];
      value = 1 / (1 + std::exp(-value));
      const double difference = static_cast<double>(value) - static_cast<double>(y.data[i]);
      sum += difference * difference;
    }
    return sum / static_cast<double>(y.data.size());
  }

  TrainConfig config_;
  std::unique_ptr<Encoding> encoding_;
  nn::Mlp network_;
  Tensor train_x_, train_y_, test_x_, test_y_;
};

}  // namespace

Result<std::unique_ptr<TrainableModel>> make_image_network(const TrainConfig& config) {
  return Result<std::unique_ptr<TrainableModel>>::from(
      [&](std::unique_ptr<TrainableModel>& out) -> Status {
        auto network = std::make_unique<ImageNetwork>(config);
        PHASOR_TRY(network->create());
        out = std::move(network);
        return {};
      });
}

}  // namespace phasor
