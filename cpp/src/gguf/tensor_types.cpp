#include "gguf/tensor_types.h"

#include <algorithm>
#include <iterator>

namespace phasor {

namespace {

// The missing ids were removed from ggml, or belong to types that are never stored in files.
constexpr TensorType kTypes[] = {
    {0, "F32", 1, 4, nullptr},
    {1, "F16", 1, 2, nullptr},
    {30, "BF16", 1, 2, nullptr},
    {8, "Q8_0", 32, 34, &kQ8_0},
    {2, "Q4_0", 32, 18, &kQ4_0},
    {3, "Q4_1", 32, 20, &kQ4_1},
    {6, "Q5_0", 32, 22, &kQ5_0},
    {7, "Q5_1", 32, 24, &kQ5_1},
    {12, "Q4_K", 256, 144, &kQ4_K},
    {13, "Q5_K", 256, 176, &kQ5_K},
    {14, "Q6_K", 256, 210, &kQ6_K},
    // The following types cannot be read. Their sizes are needed to validate headers.
    {10, "Q2_K", 256, 84, nullptr},
    {11, "Q3_K", 256, 110, nullptr},
    {16, "IQ2_XXS", 256, 66, nullptr},
    {17, "IQ2_XS", 256, 74, nullptr},
    {18, "IQ3_XXS", 256, 98, nullptr},
    {19, "IQ1_S", 256, 50, nullptr},
    {20, "IQ4_NL", 32, 18, nullptr},
    {21, "IQ3_S", 256, 110, nullptr},
    {22, "IQ2_S", 256, 82, nullptr},
    {23, "IQ4_XS", 256, 136, nullptr},
    {24, "I8", 1, 1, nullptr},
    {25, "I16", 1, 2, nullptr},
    {26, "I32", 1, 4, nullptr},
    {27, "I64", 1, 8, nullptr},
    {28, "F64", 1, 8, nullptr},
    {29, "IQ1_M", 256, 56, nullptr},
    {34, "TQ1_0", 256, 54, nullptr},
    {35, "TQ2_0", 256, 66, nullptr},
    {39, "MXFP4", 32, 17, nullptr},
    {40, "NVFP4", 64, 36, nullptr},
    {41, "Q1_0", 128, 18, nullptr},
};

const TensorType* find_type(auto matches) {
  const auto match = std::find_if(std::begin(kTypes), std::end(kTypes), matches);
  return match == std::end(kTypes) ? nullptr : match;
}

}  // namespace

const TensorType* find_tensor_type(std::uint32_t id) {
  return find_type([&](const TensorType& type) { return type.id == id; });
}
const TensorType* find_tensor_type(std::string_view name) {
  return find_type([&](const TensorType& type) { return type.name == name; });
}

}  // namespace phasor
