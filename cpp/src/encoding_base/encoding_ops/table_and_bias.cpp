#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "encoding_base/encoding_ops/checks.h"
#include "phasor/encoding_ops.h"
#include "phasor/registry.h"
#include "relative_position/relative_positions.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor {

Result<std::unique_ptr<Encoding>> create_encoding(const EncodingConfig& config,
                                                  const EncodingDims& dims, Injection injection,
                                                  const char* function) {
  if (const EncodingInfo* info = find_encoding(config.id))
    PHASOR_TRY(check_injection(info->injection, injection, info->id, function));
  return create_encoding(config, dims);
}

Result<Tensor> position_table(const Encoding& encoding, Positions positions, int dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const int length = positions.count();
    const EncodingDims call_dims{
        .length = length, .dim = dim, .heads = get_head_count(encoding), .axes = positions.axes()};
    PHASOR_TRY(check_existing_encoding(encoding, Injection::input, "table", call_dims));
    PHASOR_TRY(check_positions(encoding, positions));
    const int columns = encoding.as_table()->table_dim(dim);
    PHASOR_TRY(check_size("dim", "a table", {length, columns}));
    PHASOR_TRY(check_memory("dim", array_bytes({length, columns}) + kSinusoidWorkspaceBytes));
    out = Tensor({length, columns});
    encoding.as_table()->table(positions, matrix(out));
    return check_result("encoding", out.data, "the table of {}", encoding.id);
  });
}

Result<Tensor> position_table(const EncodingConfig& config, Positions positions, int dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const EncodingDims call_dims{.length = positions.count(), .dim = dim, .axes = positions.axes()};
    PHASOR_TRY_ASSIGN(const auto encoding,
                      create_encoding(config, call_dims, Injection::input, "table"));
    return position_table(*encoding, positions, dim).move_to(out);
  });
}

namespace {

Status check_bias_positions(Positions queries, Positions keys) {
  for (const Positions& positions : {queries, keys}) {
    if (positions.axes() != 1)
      return invalid("positions: have {} coordinates each; expected 1", positions.axes());
  }
  PHASOR_TRY(check_extent("queries", queries.count()));
  return check_extent("keys", keys.count());
}

Status report_dim_as_head_dim(Status status) {
  return rename_argument(std::move(status), "dim", spell_argument(argument("head_dim")));
}

// With consecutive positions, one tile covers all rows. Otherwise tiles have fewer rows, because
// the distances of all pairs would take more memory than the bias.
TileSizes choose_bias_tile(Positions queries, Positions keys, int head_dim) {
  constexpr int kPairsPerTile = 1 << 18;
  TileSizes tile{queries.count(), keys.count(), queries.count() + keys.count(), head_dim, head_dim};
  if (have_consecutive_positions(queries, keys)) return tile;
  tile.queries = std::clamp(kPairsPerTile / keys.count(), 1, queries.count());
  tile.distances = tile.queries * keys.count();
  return tile;
}

}  // namespace

Result<Tensor> attention_bias(const Encoding& encoding, int heads, Positions queries,
                              Positions keys, int head_dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_bias_positions(queries, keys));
    PHASOR_TRY(report_dim_as_head_dim(
        check_existing_encoding(encoding, Injection::score, "bias",
                                {.length = keys.count(), .dim = head_dim, .heads = heads})));
    if (encoding.as_score_bias() == nullptr)
      return invalid(
          "encoding: the bias of {} depends on token tensors; only attention can return it",
          encoding.id);
    PHASOR_TRY(check_size("heads", "a bias", {heads, queries.count(), keys.count()}));
    PHASOR_TRY(check_positions(encoding, queries));
    PHASOR_TRY(check_positions(encoding, keys));
    PHASOR_TRY(encoding.check_distances(queries, keys));
    out = Tensor({heads, queries.count(), keys.count()});
    const TileSizes tile = choose_bias_tile(queries, keys, head_dim);
    PHASOR_TRY(check_memory("keys",
                            (sizeof(double) + sizeof(float)) * static_cast<double>(tile.distances) +
                                encoding.working_bytes(tile)));
    for (int head = 0; head < heads; ++head) {
      const MatrixRef head_bias = matrix(out, head);
      for (int first = 0; first < head_bias.rows; first += tile.queries) {
        const int count = std::min(tile.queries, head_bias.rows - first);
        encoding.as_score_bias()->add_bias(head, queries.part(first, count), keys,
                                           rows_of(head_bias, first, count));
      }
      // Checks each head as soon as it is computed, while its bias is in the processor's cache.
      const std::span<const float> head_values(
          head_bias.data,
          static_cast<std::size_t>(head_bias.rows) * static_cast<std::size_t>(head_bias.columns));
      PHASOR_TRY(check_result("encoding", head_values, "the bias of {}", encoding.id));
    }
    return {};
  });
}

Result<Tensor> attention_bias(const EncodingConfig& config, int heads, Positions queries,
                              Positions keys, int head_dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_bias_positions(queries, keys));
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(report_dim_as_head_dim(
        create_encoding(config, {.length = keys.count(), .dim = head_dim, .heads = heads},
                        Injection::score, "bias")
            .move_to(encoding)));
    return attention_bias(*encoding, heads, queries, keys, head_dim).move_to(out);
  });
}

namespace {

// `encoding` is an EncodingConfig or an Encoding.
Result<Tensor> compute_consecutive_bias(const auto& encoding, int heads, int queries, int keys,
                                        double position_offset, int head_dim) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_extent("queries", queries));
    PHASOR_TRY(check_extent("keys", keys));
    std::vector<double> query_positions, key_positions;
    PHASOR_TRY(consecutive_positions(position_offset, queries).move_to(query_positions));
    PHASOR_TRY(consecutive_positions(0, keys).move_to(key_positions));
    return attention_bias(encoding, heads, query_positions, key_positions, head_dim).move_to(out);
  });
}

}  // namespace

Result<Tensor> attention_bias(const Encoding& encoding, int heads, int queries, int keys,
                              double position_offset, int head_dim) {
  return compute_consecutive_bias(encoding, heads, queries, keys, position_offset, head_dim);
}

Result<Tensor> attention_bias(const EncodingConfig& config, int heads, int queries, int keys,
                              double position_offset, int head_dim) {
  return compute_consecutive_bias(config, heads, queries, keys, position_offset, head_dim);
}

}  // namespace phasor
