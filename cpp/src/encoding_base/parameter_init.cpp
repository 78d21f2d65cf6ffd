#include "encoding_base/parameter_init.h"

#include "core/format_error.h"
#include "phasor/random.h"

namespace phasor {

namespace {

constexpr std::uint32_t kStreamsPerSeed = 16;

std::uint32_t derive_seed(const ResolvedParams& values, int stream) {
  return static_cast<std::uint32_t>(values.integer("seed")) * kStreamsPerSeed +
         static_cast<std::uint32_t>(stream);
}

}  // namespace

Status copy_param(const char* name, const Tensor& provided_tensor, Tensor& out) {
  PHASOR_TRY(check_size(name, "a copy", provided_tensor.shape));
  out = provided_tensor;
  return {};
}

Status copy_param(const char* name, const Tensor& provided_tensor, const std::vector<int>& shape,
                  const char* axes, Tensor& out) {
  if (provided_tensor.shape != shape)
    return invalid("{}: has shape {}; expected {} ({})", name, provided_tensor.shape, shape, axes);
  return copy_param(name, provided_tensor, out);
}

Status check_random_size(const char* name, const std::vector<int>& shape) {
  constexpr double kMaxRandomNumbers = 1 << 24;
  if (array_bytes(shape) <= kMaxRandomNumbers * sizeof(float)) return {};
  return invalid("{}: {} random numbers exceed the limit of {}; pass an array", name, detail(shape),
                 kMaxRandomNumbers);
}

Status init_normal_param(const ResolvedParams& values, const char* name, const char* axes,
                         const std::vector<int>& shape, double std_dev, int stream, Tensor& out) {
  if (const Tensor* provided_tensor = values.tensor(name))
    return copy_param(name, *provided_tensor, shape, axes, out);
  PHASOR_TRY(check_random_size(name, shape));
  PHASOR_TRY(random_normal(derive_seed(values, stream), shape).move_to(out));
  for (float& x : out.data) x = static_cast<float>(static_cast<double>(x) * std_dev);
  return {};
}

Status init_uniform_param(const ResolvedParams& values, const char* name, const char* axes,
                          const std::initializer_list<int>& sizes, double low, double high,
                          int stream, Tensor& out) {
  const std::vector<int> shape = sizes;
  if (const Tensor* provided_tensor = values.tensor(name))
    return copy_param(name, *provided_tensor, shape, axes, out);
  PHASOR_TRY(check_random_size(name, shape));
  PHASOR_TRY(check_size(name, "an array", shape));
  out = Tensor(shape);
  SplitMix64 random(derive_seed(values, stream));
  for (float& x : out.data) x = static_cast<float>(low + (high - low) * random.uniform());
  return {};
}

}  // namespace phasor
