// A trained vector for each position (Gehring et al. 2017, arXiv 1705.03122; BERT, GPT-2, GPT-Neo,
// ViT):
//   pe[p] = E[p + row_offset],  E (max_length, dim), drawn from N(0, 0.02^2) as BERT does.
// Positions outside the table are rejected: clamping, wrapping or zero vectors would give wrong
// results silently. Codebases disagree on two points: BART and OPT skip the first two rows
// (row_offset 2), and x-transformers multiplies rows by dim^-0.5 (`scaled`). Rows before position 0
// belong to positions -1, -2 ..., which OPT uses for padding. dL/dE[r] sums dL/dpe over the tokens
// that read row r.

#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "phasor/random.h"

namespace phasor::encoding::learned {
namespace {

constexpr float kInitStd = 0.02f;

class LearnedTable final : public TableEncoding {
 public:
  LearnedTable(Tensor table, int row_offset, double scale)
      : table_{"table", std::move(table)}, row_offset_(row_offset), scale_(scale) {}

  std::vector<Parameter*> parameters() override { return {&table_}; }

  Status check_positions(Positions positions) const override {
    const int max_position = table_.value.shape[0] - 1 - row_offset_;
    for (int t = 0; t < positions.count(); ++t) {
      if (positions[t] >= -row_offset_ && positions[t] <= max_position) continue;
      return check_range(format_error("positions[{}]", t).c_str(), positions[t], -row_offset_,
                         max_position);
    }
    return check_whole_positions(positions);
  }

  void table(Positions positions, MatrixRef out) const override {
    for (int t = 0; t < out.rows; ++t) {
      const float* row = matrix(table_.value).row(row_index(positions[t]));
      for (int c = 0; c < out.columns; ++c)
        out.row(t)[c] = static_cast<float>(scale_ * static_cast<double>(row[c]));
    }
  }

  void table_backward(Positions positions, ConstMatrixRef d_out) override {
    Tensor& d_table = table_.gradient();
    for (int t = 0; t < d_out.rows; ++t) {
      float* row = matrix(d_table).row(row_index(positions[t]));
      for (int c = 0; c < d_out.columns; ++c)
        row[c] += static_cast<float>(scale_ * static_cast<double>(d_out.row(t)[c]));
    }
  }

 private:
  int row_index(double position) const { return static_cast<int>(position) + row_offset_; }

  Parameter table_;  // (max_length, dim)
  int row_offset_;
  double scale_;
};

Status draw_table(const ResolvedParams& values, int dim, Tensor& out) {
  PHASOR_TRY(check_random_size("table", {values.integer("max_length"), dim}));
  PHASOR_TRY(random_normal(static_cast<std::uint32_t>(values.integer("seed")),
                           {values.integer("max_length"), dim})
                 .move_to(out));
  for (float& x : out.data) x *= kInitStd;
  return {};
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("learned", dims.axes));
  Tensor table;
  if (const Tensor* provided_table = values.tensor("table")) {
    if (provided_table->rank() != 2 || provided_table->shape[1] != dims.dim) {
      return invalid("table: has shape {}; expected max_length x {}", provided_table->shape,
                     dims.dim);
    }
    if (values.is_set("max_length") && values.integer("max_length") != provided_table->shape[0]) {
      return invalid("max_length: {} differs from the {} rows of the table",
                     values.integer("max_length"), provided_table->shape[0]);
    }
    PHASOR_TRY(copy_param("table", *provided_table, table));
  } else {
    PHASOR_TRY(draw_table(values, dims.dim, table));
  }
  const int row_offset = values.integer("row_offset");
  if (row_offset >= table.shape[0]) {
    return invalid("row_offset: {} leaves none of the {} rows of the table", row_offset,
                   table.shape[0]);
  }
  const double scale =
      values.boolean("scaled") ? 1.0 / std::sqrt(static_cast<double>(dims.dim)) : 1.0;
  return EncodingResult(std::make_unique<LearnedTable>(std::move(table), row_offset, scale));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("max_length", 512, 1, 65536, "tokens",
                       "Number of rows, unless table is set"),
    ParamInfo::integer("row_offset", 0, 0, 65535, "rows",
                       "Number of rows before position 0 (BART and OPT: 2)"),
    ParamInfo::boolean("scaled", false, "Rows are multiplied by 1/sqrt(dim), as in x-transformers"),
    ParamInfo::integer("seed", 0, 0, 2147483647, "",
                       "Seed of a random table drawn from N(0, 0.02^2)"),
    ParamInfo::tensor("table", "max_length x dim", "The trained vectors, one row per position"),
};

}  // namespace

PHASOR_ENCODING(learned) = {
    .id = "learned",
    .injection = LearnedTable::kInjection,
    .learned = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::learned
