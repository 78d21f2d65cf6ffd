#include "encoding_base/parameter_init.h"

#include "core/format_error.h"
#include "phasor/random.h"

namespace phasor {

namespace {

constexpr std::uint32_t kStreamsPerSeed = 16;

std::uint32_t seed_of(const ResolvedParams& values, int stream) {
  return static_cast<std::uint32_t>(values.integer("seed")) * kStreamsPerSeed +
         static_cast<std::uint32_t>(stream);
}

}  // namespace

Status copy_param(const char* name, const Tensor& provided, Tensor& out) {
  PHASOR_TRY(check_size(name, "a copy", provided.shape));
  out = provided;
  return {};
}

Status copy_param(const char* name, const Tensor& provided, const std::vector<int>& shape,
                  const char* axes, Tensor& out) {
  if (provided.shape != shape)
    return invalid("{}: has shape {}; expected {} ({})", name, provided.shape, shape, axes);
  return copy_param(name, provided, out);
}

Status check_random_size(const char* name, const std::vector<int>& shape) {
  constexpr double kMaxRandomNumbers = 1 << 24;
  if (bytes_of(shape) <= kMaxRandomNumbers * sizeof(float)) return {};
  return invalid("{}: {} random numbers exceed the limit of {}; pass an array", name, aside(shape),
                 kMaxRandomNumbers);
}

Status param_or_normal(const ResolvedParams& values, const char* name, const char* axes,
                       const std::vector<int>& shape, double deviation, int stream, Tensor& out) {
  if (const Tensor* provided = values.tensor(name))
    return copy_param(name, *provided, shape, axes, out);
  PHASOR_TRY(check_random_size(name, shape));
  PHASOR_TRY(random_normal(seed_of(values, stream), shape).move_to(out));
  for (float& x : out.data) x = static_cast<float>(static_cast<double>(x) * deviation);
  return {};
}

Status param_or_uniform(const ResolvedParams& values, const char* name, const char* axes,
                        const std::initializer_list<int>& extents, double low, double high,
                        int stream, Tensor& out) {
  const std::vector<int> shape = extents;
  if (const Tensor* provided = values.tensor(name))
    return copy_param(name, *provided, shape, axes, out);
  PHASOR_TRY(check_random_size(name, shape));
  PHASOR_TRY(check_size(name, "an array", shape));
  out = Tensor(shape);
  SplitMix64 random(seed_of(values, stream));
  for (float& x : out.data) x = static_cast<float>(low + (high - low) * random.uniform());
  return {};
}

}  // namespace phasor
