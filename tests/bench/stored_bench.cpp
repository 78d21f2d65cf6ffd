// Products with weights in the number formats of checkpoints (kernels/stored_matrix.h): each
// supported instruction level, beside the product of float32 that packs its right side. Prints
// JSON: rows with times in ms of this thread's processor time, peaks, and the bandwidth of a sum
// over memory.

#include <cstdio>
#include <vector>

#include "bandwidth.h"
#include "gemm_peers.h"
#include "kernels/gemm.h"
#include "kernels/stored_matrix.h"
#include "turns.h"

namespace {

using bench::make_values;
using bench::median;
using bench::Task;
using bench::time_tasks;
using phasor::ConstMatrixRef;
using phasor::MatrixRef;
using phasor::kernels::IsaLevel;
using phasor::kernels::StoredMatrix;
using phasor::kernels::WeightDType;

constexpr int kIn = 2048, kOut = 2048;
/// Products of one row go through this many matrices, which exceed the caches.
constexpr int kCopies = 24;

struct Format {
  const char* name;
  WeightDType dtype;
};
constexpr Format kFormats[] = {{"f32", WeightDType::f32},
                               {"bf16", WeightDType::bf16},
                               {"f16", WeightDType::f16},
                               {"8 bits, 32 terms", WeightDType::int8_blocks},
                               {"8 bits, 16 terms", WeightDType::int8_blocks_16}};

StoredMatrix make_matrix(WeightDType dtype) {
  StoredMatrix matrix(dtype, kOut, kIn);
  const int block_size = phasor::kernels::get_block_size(dtype);
  const std::vector<float> values = make_values(kIn, 7);
  std::int8_t q[32];
  for (int i = 0; i < 32; ++i) q[i] = static_cast<std::int8_t>(13 * i - 100);
  for (int o = 0; o < kOut; ++o) {
    for (int i = 0; i < kIn; ++i) {
      if (block_size > 0) {
        if (i % block_size == 0) matrix.set_block(o, i / block_size, 0.01f, 0.1f, q);
      } else if (dtype == WeightDType::f32) {
        matrix.set(o, i, values[static_cast<std::size_t>(i)]);
      } else {
        matrix.set(o, i, static_cast<std::uint16_t>(0x3800 + i % 512));
      }
    }
  }
  return matrix;
}

const char* separator = "";

void measure(const Format& format, int rows) {
  const auto get_size = [rows](int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  const std::vector<float> x_values = make_values(get_size(kIn), 1),
                           w_values = make_values(static_cast<std::size_t>(kIn) * kOut, 2);
  std::vector<float> y_values(get_size(kOut));
  const ConstMatrixRef x{x_values.data(), rows, kIn, kIn}, w{w_values.data(), kOut, kIn, kIn};
  const MatrixRef y{y_values.data(), rows, kOut, kOut};
  const std::vector<StoredMatrix> matrices(rows == 1 ? kCopies : 1, make_matrix(format.dtype));
  std::vector<Task> tasks;
  std::vector<phasor::kernels::Workspace> workspaces;
  workspaces.reserve(1);
  for (const IsaLevel level : phasor::kernels::kLevels) {
    if (!phasor::kernels::is_level_supported(level)) continue;
    tasks.push_back({phasor::kernels::level_name(level),
                     [&, level] {
                       for (const StoredMatrix& matrix : matrices) matrix.multiply(x, y, level);
                     },
                     {}});
  }
  auto& workspace = workspaces.emplace_back(phasor::kernels::best_level());
  tasks.push_back({"gemm",
                   [&] {
                     using phasor::kernels::Transpose;
                     phasor::kernels::gemm(workspace, Transpose::no, Transpose::yes, 1, x, w, 0, y);
                   },
                   {}});
  time_tasks(tasks);
  std::printf(
      "%s{\"format\":\"%s\",\"rows\":%d,\"inner\":%d,\"columns\":%d,\"bytes\":%.0f,\"ms\":{",
      separator, format.name, rows, kIn, kOut, StoredMatrix::bytes(format.dtype, kOut, kIn));
  separator = ",\n";
  for (const Task& task : tasks) {
    const double product_count = task.label == "gemm" ? 1 : static_cast<double>(matrices.size());
    std::printf("%s\"%s\":%.6g", &task == tasks.data() ? "" : ",", task.label.c_str(),
                median(task) / product_count);
  }
  std::printf("}}");
}

}  // namespace

int main() {
  std::printf("{\"compiler\":\"%s\",\"products\":[\n", bench::kCompiler);
  for (const Format& format : kFormats) {
    for (const int rows : {1, 64, 512}) measure(format, rows);
  }
  std::vector<Task> peaks;
  for (const bench::Peak& peak : bench::list_peaks()) peaks.push_back({peak.level, peak.run, {}});
  time_tasks(peaks);
  std::printf("],\"bandwidth\":%.4g,\"peaks\":{", bench::measure_bandwidth());
  for (const Task& task : peaks)
    std::printf("%s\"%s\":%.6g", &task == peaks.data() ? "" : ",", task.label.c_str(),
                bench::kPeakFlops / median(task) / 1e6);
  std::printf("}}\n");
}
