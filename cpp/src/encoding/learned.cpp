#include "encoding/learned.h"

#include "core/format_error.h"
#include "phasor/random.h"

namespace phasor {

namespace {

constexpr std::uint32_t kStreams = 16;

std::uint32_t seed_of(const Values& values, int stream) {
  return static_cast<std::uint32_t>(values.integer("seed")) * kStreams + static_cast<std::uint32_t>(stream);
}

}  // namespace

Status check_shape(const char* name, const Tensor& t, const std::vector<int>& shape, const char* axes) {
  if (t.shape == shape && t.data.size() == count(shape)) return {};
  return invalid("{}: its shape is {}; {} is needed ({})", name, t.shape, shape, axes);
}

Status given_or_gaussian(const Values& values, const char* name, const char* axes, const std::vector<int>& shape, double deviation,
                         int stream, Tensor& out) {
  if (const Tensor* given = values.tensor(name)) {
    PHASOR_TRY(check_shape(name, *given, shape, axes));
    out = *given;
    return {};
  }
  PHASOR_TRY(gaussian(seed_of(values, stream), shape).move_to(out));
  for (float& x : out.data) x = static_cast<float>(static_cast<double>(x) * deviation);
  return {};
}

Status given_or_uniform(const Values& values, const char* name, const char* axes, const std::initializer_list<int>& extents, double low,
                        double high, int stream, Tensor& out) {
  const std::vector<int> shape = extents;
  if (const Tensor* given = values.tensor(name)) {
    PHASOR_TRY(check_shape(name, *given, shape, axes));
    out = *given;
    return {};
  }
  PHASOR_TRY(check_size(name, "an array", shape));
  out = Tensor(shape);
  SplitMix64 random(seed_of(values, stream));
  for (float& x : out.data) x = static_cast<float>(low + (high - low) * random.uniform());
  return {};
}

}  // namespace phasor
