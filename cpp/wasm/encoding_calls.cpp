#include <algorithm>

#include "calls.h"
#include "core/format_error.h"

namespace {

using namespace phasor_js;

// A request's encoding: the one that its handle refers to, or a new one if it has no handle.
class RequestEncoding {
 public:
  explicit RequestEncoding(Request& request)
      : encoding_(request.prepared_encoding()), is_prepared_(encoding_ != nullptr) {
    if (!is_prepared_) config_ = request.encoding();
  }

  // Reads a size. If the request has a handle, the default is the size of its encoding.
  int dim(Request& request, const char* name = "dim") const {
    return is_prepared_ ? request.integer_or(name, dims().dim) : request.integer(name);
  }
  int heads(Request& request) const {
    return is_prepared_ ? request.integer_or("heads", dims().heads) : request.integer("heads");
  }
  bool is_prepared() const { return is_prepared_; }

  // Creates the encoding, unless the request has a handle. Must be called after all fields have
  // been read.
  Status create(Request& request, const phasor::EncodingDims& dims, phasor::Injection injection,
                const char* result_name) {
    PHASOR_TRY(request.finish());
    if (is_prepared_) return {};
    std::unique_ptr<phasor::Encoding> new_encoding;
    PHASOR_TRY(
        phasor::create_encoding(config_, dims, injection, result_name).move_to(new_encoding));
    encoding_ = std::move(new_encoding);
    return {};
  }
  const phasor::Encoding& operator*() const { return *encoding_; }

 private:
  const phasor::EncodingDims& dims() const { return *encoding_->dims; }

  std::shared_ptr<phasor::Encoding> encoding_;
  bool is_prepared_;
  phasor::EncodingConfig config_;
};

// Limits a length to the valid range, so that the encoding can be created. If the length is
// invalid, the call itself rejects it later, with a better error.
int clamp_length(int length) { return std::clamp(length, 1, phasor::kMaxExtent); }

using PositionFunction = phasor::Result<Tensor> (*)(const phasor::Encoding&, phasor::Positions,
                                                    int);

// Computes one row for each position. The positions are the field `positions`, or `length`
// consecutive positions from `positionOffset`.
Status compute_per_position(Request& request, Response& response, phasor::Injection injection,
                            const char* result_name, PositionFunction compute) {
  RequestEncoding encoding(request);
  const int dim = encoding.dim(request);
  RequestPositions positions;
  if (request.has("positions")) {
    request.reject_combination("positions", "length, positionOffset");
    positions = request.positions("positions");
  } else {
    const int length = request.integer("length");
    const double position_offset = request.number_or("positionOffset", 0);
    if (request.status().ok()) {
      PHASOR_TRY(phasor::consecutive_positions(position_offset, length).move_to(positions.values));
    }
  }
  const phasor::Positions position_view = positions.view();
  PHASOR_TRY(encoding.create(
      request, {.length = position_view.count(), .dim = dim, .axes = position_view.axes()},
      injection, result_name));
  return run(request, response, [&] { return compute(*encoding, position_view, dim); });
}

Status position_table(Request& request, Response& response) {
  return compute_per_position(request, response, phasor::Injection::input, "table",
                              phasor::position_table);
}
Status rotary_angles(Request& request, Response& response) {
  return compute_per_position(request, response, phasor::Injection::query_key, "angles",
                              phasor::rotary_angles);
}

Status attention_bias(Request& request, Response& response) {
  RequestEncoding encoding(request);
  const int heads = encoding.heads(request);
  const int head_dim =
      encoding.is_prepared() ? encoding.dim(request, "headDim") : request.integer_or("headDim", 1);
  const auto create_encoding = [&](int keys) {
    return phasor::rename_argument(
        encoding.create(request, {.length = clamp_length(keys), .dim = head_dim, .heads = heads},
                        phasor::Injection::score, "bias"),
        "dim", "headDim");
  };
  if (request.has("queryPositions") || request.has("keyPositions")) {
    request.reject_combination("queryPositions", "queries, keys, positionOffset");
    const RequestPositions queries = request.positions("queryPositions"),
                           keys = request.positions("keyPositions");
    PHASOR_TRY(create_encoding(keys.view().count()));
    return run(request, response, [&] {
      return phasor::attention_bias(*encoding, heads, queries.view(), keys.view(), head_dim);
    });
  }
  const int queries = request.integer("queries"), keys = request.integer("keys");
  const double position_offset =
      request.optional_number("positionOffset").value_or(static_cast<double>(keys) - queries);
  PHASOR_TRY(create_encoding(keys));
  return run(request, response, [&] {
    return phasor::attention_bias(*encoding, heads, queries, keys, position_offset, head_dim);
  });
}

Status apply_rotary(Request& request, Response& response) {
  Tensor x = request.take_tensor("x");
  RequestEncoding encoding(request);
  const auto role = request.choice<phasor::Role>("role", "query, key");
  RequestPositions positions;
  phasor::EncodingDims dims;
  if (x.rank() == 3) dims = {.length = x.shape[1], .dim = x.shape[2], .heads = x.shape[0]};
  if (request.has("positions")) {
    positions = request.positions("positions");
  } else if (x.rank() == 3) {
    if (request.status().ok())
      PHASOR_TRY(
          phasor::consecutive_positions(0, clamp_length(x.shape[1])).move_to(positions.values));
  }
  dims.axes = positions.axes;
  if (x.rank() != 3) request.reject("x: has shape {}; expected heads x length x dim", x.shape);
  const phasor::TokenTensors token_tensors = request.token_tensors();
  if (!token_tensors.empty()) request.reject_combination("tokenTensors", "positions");
  PHASOR_TRY(encoding.create(request, dims, phasor::Injection::query_key, "rotation"));
  return run(request, response, [&] {
    if (!token_tensors.empty())
      return phasor::apply_rotary(*encoding, role, token_tensors, std::move(x));
    return phasor::apply_rotary(*encoding, role, positions.view(), std::move(x));
  });
}

Status rope_distances(Request& request, Response& response) {
  RequestEncoding encoding(request);
  const int dim = encoding.dim(request);
  const RequestPositions queries = request.positions("queryPositions"),
                         keys = request.positions("keyPositions");
  PHASOR_TRY(encoding.create(request, {.length = clamp_length(keys.view().count()), .dim = dim},
                             phasor::Injection::query_key, "distances"));
  return run(request, response,
             [&] { return phasor::rope_distances(*encoding, queries.view(), keys.view(), dim); });
}

Status rotation_matrix(Request& request, Response& response) {
  RequestEncoding encoding(request);
  const auto role = request.choice<phasor::Role>("role", "query, key");
  const RequestPositions position = request.position("position");
  const int dim = encoding.dim(request);
  PHASOR_TRY(encoding.create(request, {.dim = dim, .axes = position.axes},
                             phasor::Injection::query_key, "rotation"));
  return run(request, response,
             [&] { return phasor::rotation_matrix(*encoding, role, position.view(), dim); });
}

Tensor to_tensor(const std::vector<double>& numbers) {
  return {{static_cast<int>(numbers.size())}, {numbers.begin(), numbers.end()}};
}

Status rope_frequencies(Request& request, Response& response) {
  RequestEncoding encoding(request);
  const int dim = encoding.dim(request);
  PHASOR_TRY(encoding.create(request, {.dim = dim}, phasor::Injection::query_key, "frequencies"));
  return run(
      request, [&] { return phasor::rope_frequencies(*encoding, dim); },
      [&](const phasor::Frequencies& result) {
        response.add("invFreq", to_tensor(result.inv_freq))
            .add("attentionFactor", result.attention_factor);
      });
}

Status combine(Request& request, Response& response) {
  const Tensor &x = request.tensor("x"), &table = request.tensor("table");
  const auto mode = request.choice<phasor::CombineMode>("mode", "add, concatenate");
  return run(request, response, [&] { return phasor::combine(x, table, mode); });
}

Status position_ids(Request& request, Response& response) {
  const std::vector<std::uint8_t> attention_mask = request.flags("attentionMask");
  const auto mode = request.choice<phasor::PositionIdMode>("mode", kPositionIdModes);
  const int padding_idx = request.integer_or("paddingIdx", 1);
  const int past_length = request.integer_or("pastLength", 0);
  return run(
      request, [&] { return phasor::position_ids(attention_mask, mode, padding_idx, past_length); },
      [&](const std::vector<double>& ids) { response.set(to_tensor(ids)); });
}

Status segment_ids(Request& request, Response& response) {
  const std::vector<int> cu_seqlens = request.whole_numbers("cuSeqlens");
  return run(
      request, [&] { return phasor::segment_ids(cu_seqlens); },
      [&](const std::vector<int>& ids) {
        response.set(to_tensor(std::vector<double>(ids.begin(), ids.end())));
      });
}

Status video_positions(Request& request, Response& response) {
  phasor::VideoText video_text{.before = request.integer_or("before", 0),
                               .after = request.integer_or("after", 0),
                               .frame_step = request.number_or("frameStep", 2)};
  if (request.has("grid")) {
    const std::vector<int> grid = request.whole_numbers("grid");
    if (grid.size() == 3) {
      video_text.frames = grid[0];
      video_text.rows = grid[1];
      video_text.columns = grid[2];
    } else {
      request.reject("grid: has {} values; expected three: frames, rows and columns",
                     phasor::detail(grid.size()));
    }
  }
  return run(
      request, [&] { return phasor::video_positions(video_text); },
      [&](const phasor::TokenPositions& positions) {
        Tensor out = to_tensor(positions.values);
        out.shape = {out.shape[0] / 3, 3};
        response.set(out);
      });
}

Status random_normal(Request& request, Response& response) {
  const std::uint32_t seed = request.seed("seed");
  const std::vector<int> shape = request.whole_numbers("shape");
  return run(request, response, [&] { return phasor::random_normal(seed, shape); });
}

}  // namespace

namespace phasor_js {

std::span<const Call> list_encoding_calls() {
  static constexpr Call kCalls[] = {
      {"positionTable", position_table},     {"rotaryAngles", rotary_angles},
      {"attentionBias", attention_bias},     {"applyRotary", apply_rotary},
      {"ropeDistances", rope_distances},     {"rotationMatrix", rotation_matrix},
      {"ropeFrequencies", rope_frequencies}, {"combine", combine},
      {"positionIds", position_ids},         {"videoPositions", video_positions},
      {"segmentIds", segment_ids},           {"randomNormal", random_normal},
  };
  return kCalls;
}

}  // namespace phasor_js
