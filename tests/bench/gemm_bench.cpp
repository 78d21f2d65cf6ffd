// Products with the shapes of training: each supported instruction level, the gemm that packs its
// right side in every call, and Eigen take turns. Prints rows as JSON; times are ms of this
// thread's processor time.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "gemm_peers.h"
#include "kernels/gemm.h"
#include "turns.h"

namespace {

using bench::kCompiler;
using bench::make_values;
using bench::median;
using bench::Task;
using bench::time_tasks;
using phasor::ConstMatrixRef;
using phasor::MatrixRef;
using phasor::kernels::IsaLevel;
using phasor::kernels::Transpose;
using phasor::kernels::Workspace;

struct Shape {
  const char* operation;
  Transpose op_a, op_b;
  int rows, inner, columns;
};

constexpr Transpose kNo = Transpose::no, kYes = Transpose::yes;
// Products of a linear layer with weight W (out x in): y = x W^T, dx = dy W, dW = dy^T x.
constexpr Shape kShapes[] = {
    {"x W^T", kNo, kYes, 32, 64, 64},      {"x W^T", kNo, kYes, 128, 64, 256},
    {"x W^T", kNo, kYes, 512, 64, 64},     {"x W^T", kNo, kYes, 512, 256, 64},
    {"x W^T", kNo, kYes, 2048, 64, 256},   {"x W^T", kNo, kYes, 2048, 256, 256},
    {"x W^T", kNo, kYes, 512, 256, 1024},  {"x W^T", kNo, kYes, 1024, 1024, 1024},
    {"dy W", kNo, kNo, 32, 64, 64},        {"dy W", kNo, kNo, 128, 256, 64},
    {"dy W", kNo, kNo, 512, 64, 64},       {"dy W", kNo, kNo, 512, 64, 256},
    {"dy W", kNo, kNo, 2048, 256, 64},     {"dy W", kNo, kNo, 2048, 256, 256},
    {"dy W", kNo, kNo, 512, 1024, 256},    {"dy W", kNo, kNo, 1024, 1024, 1024},
    {"dy^T x", kYes, kNo, 64, 32, 64},     {"dy^T x", kYes, kNo, 64, 512, 64},
    {"dy^T x", kYes, kNo, 64, 2048, 64},   {"dy^T x", kYes, kNo, 256, 2048, 64},
    {"dy^T x", kYes, kNo, 64, 2048, 256},  {"dy^T x", kYes, kNo, 256, 2048, 256},
    {"dy^T x", kYes, kNo, 1024, 512, 256}, {"dy^T x", kYes, kNo, 1024, 1024, 1024},
    {"x W^T", kNo, kYes, 1, 64, 256},      {"x W^T", kNo, kYes, 1, 256, 256},
    {"x W^T", kNo, kYes, 1, 1024, 1024},   {"x W^T", kNo, kYes, 4, 256, 256},
    {"x W^T", kNo, kYes, 8, 256, 256},     {"dy W", kNo, kNo, 1, 256, 256},
    {"dy W", kNo, kNo, 1, 1024, 1024},     {"dy W", kNo, kNo, 4, 256, 256},
    {"dy W", kNo, kNo, 8, 256, 256},
};

const char* separator = "";

void measure(const Shape& s) {
  const auto get_size = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  const std::vector<float> a_values = make_values(get_size(s.rows, s.inner), 1),
                           b_values = make_values(get_size(s.inner, s.columns), 2);
  std::vector<float> output(get_size(s.rows, s.columns)), expected(output);
  const bool transpose_a = s.op_a == kYes, transpose_b = s.op_b == kYes;
  const ConstMatrixRef a{a_values.data(), transpose_a ? s.inner : s.rows,
                         transpose_a ? s.rows : s.inner, transpose_a ? s.rows : s.inner},
      b{b_values.data(), transpose_b ? s.columns : s.inner, transpose_b ? s.inner : s.columns,
        transpose_b ? s.inner : s.columns};
  const MatrixRef c{output.data(), s.rows, s.columns, s.columns},
      reference{expected.data(), s.rows, s.columns, s.columns};
  bench::eigen_product(transpose_a, transpose_b, a, b, reference);

  std::vector<Workspace> workspaces;
  workspaces.reserve(std::size(phasor::kernels::kLevels));
  std::vector<Task> tasks;
  tasks.push_back({"eigen", [&] { bench::eigen_product(transpose_a, transpose_b, a, b, c); }, {}});
  tasks.push_back({"packed", [&] { phasor::kernels::gemm(s.op_a, s.op_b, 1, a, b, 0, c); }, {}});
  for (const IsaLevel level : phasor::kernels::kLevels) {
    if (!phasor::kernels::is_level_supported(level)) continue;
    Workspace& workspace = workspaces.emplace_back(level);
    tasks.push_back({phasor::kernels::level_name(level),
                     [&] { phasor::kernels::gemm(workspace, s.op_a, s.op_b, 1, a, b, 0, c); },
                     {}});
  }
  // Compares the results before timing.
  double difference = 0;
  for (Task& task : tasks) {
    std::fill(output.begin(), output.end(), 1e9f);
    task.run();
    for (std::size_t i = 0; i < output.size(); ++i)
      difference = std::max(difference, static_cast<double>(std::fabs(output[i] - expected[i])));
  }
  time_tasks(tasks);
  std::printf(
      "%s{\"what\":\"%s\",\"rows\":%d,\"inner\":%d,\"columns\":%d,\"difference\":%.3g,"
      "\"ms\":{",
      separator, s.operation, s.rows, s.inner, s.columns, difference);
  separator = ",\n";
  for (const Task& task : tasks)
    std::printf("%s\"%s\":%.6g", &task == tasks.data() ? "" : ",", task.label.c_str(),
                median(task));
  std::printf("}}");
}

}  // namespace

int main() {
  std::printf("{\"compiler\":\"%s\",\"shapes\":[\n", kCompiler);
  for (const Shape& shape : kShapes) measure(shape);
  std::vector<Task> peaks;
  for (const bench::Peak& peak : bench::list_peaks()) peaks.push_back({peak.level, peak.run, {}});
  time_tasks(peaks);
  std::printf("],\"peaks\":{");
  for (const Task& task : peaks)
    std::printf("%s\"%s\":%.6g", &task == peaks.data() ? "" : ",", task.label.c_str(),
                bench::kPeakFlops / median(task) / 1e6);
  std::printf("}}\n");
}
