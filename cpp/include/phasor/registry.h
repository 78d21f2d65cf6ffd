#pragma once
// The registry of encodings, which the build generates from the files in cpp/src/encodings.

#include <memory>
#include <span>
#include <string_view>

#include "phasor/encoding.h"
#include "phasor/result.h"

namespace phasor {

/// The description of an encoding, defined in its file in cpp/src/encodings.
struct EncodingInfo {
  std::string_view id{};  ///< the name of the file in cpp/src/encodings
  Injection injection = Injection::none;
  bool learned = false;  ///< has learned parameters
  /// True if attention with default parameters depends only on differences of positions
  bool relative = false;
  /// True if attention with default parameters cannot distinguish left from right
  /// (Encoding::symmetric)
  bool symmetric = false;
  /// True if the encoding's values at a position do not depend on the sequence length
  bool prefix_stable = false;
  /// True if channel pairs of queries and keys are rotated (RotaryEncoding)
  bool rotates = false;
  /// Coordinates per position: 1 for text, 2 for images
  int axes = 1;
  std::span<const ParamInfo> params{};
  /// Token tensors that the encoding reads from each attention call
  std::span<const TokenTensorInfo> tokens{};
  /// Creates the encoding, or rejects unsupported sizes ("dim: 7 is odd ...").
  Result<std::unique_ptr<Encoding>> (*create)(const ResolvedParams& values,
                                              const EncodingDims& dims) = nullptr;
};

/// Every encoding, sorted by id.
std::span<const EncodingInfo* const> encodings();

/// Returns the encoding with this id, or nullptr.
const EncodingInfo* find_encoding(std::string_view id);

/// Validates parameters and sizes and creates the encoding. Rejects unknown ids and parameters,
/// values out of range and unsupported sizes.
Result<std::unique_ptr<Encoding>> create_encoding(const EncodingConfig& config,
                                                  const EncodingDims& dims);

/// Creates an encoding whose injection point must be `injection`. Any other encoding is rejected
/// before sizes are checked, with an error that it has no `function`, such as "table".
Result<std::unique_ptr<Encoding>> create_encoding(const EncodingConfig& config,
                                                  const EncodingDims& dims, Injection injection,
                                                  const char* function);

}  // namespace phasor
