#pragma once
// The list of all encodings, which the build makes from the files in cpp/src/encodings.

#include <memory>
#include <span>
#include <string_view>

#include "phasor/encoding.h"
#include "phasor/result.h"

namespace phasor {

/// The description of an encoding, in its own file of cpp/src/encodings.
struct EncodingInfo {
  std::string_view id{};  ///< the name of the file
  Injection injection = Injection::none;
  bool learned = false;  ///< has learned parameters
  /// With its defaults attention sees only differences of positions
  bool relative = false;
  /// With its defaults it cannot tell left from right, see Encoding::symmetric
  bool symmetric = false;
  /// Values of a position do not change with the length of the text
  bool prefix_stable = false;
  /// Rotates pairs of channels of queries and keys: a RotaryEncoding
  bool rotates = false;
  /// Coordinates of the positions it is made for: 1 in a text, 2 in a picture
  int axes = 1;
  std::span<const ParamInfo> params{};
  /// The tensors that a call of attention must provide per token
  std::span<const TokenTensorInfo> tokens{};
  /// Rejects what these sizes do not allow ("dim: 7 is odd ..."), else makes the encoding.
  Result<std::unique_ptr<Encoding>> (*create)(const ResolvedParams& values,
                                              const EncodingDims& dims) = nullptr;
};

/// Every encoding, sorted by id.
std::span<const EncodingInfo* const> encodings();

/// The encoding of that id, or nullptr.
const EncodingInfo* find_encoding(std::string_view id);

/// Validates parameters and sizes and makes the encoding. Unknown ids and parameters, values out of
/// range and sizes the encoding cannot work with are rejected with one sentence.
Result<std::unique_ptr<Encoding>> create_encoding(const EncodingConfig& config,
                                                  const EncodingDims& dims);

/// The same for a caller who needs an encoding of one injection point: any other is rejected before
/// its sizes are looked at, by what it does not have ("table").
Result<std::unique_ptr<Encoding>> create_encoding(const EncodingConfig& config,
                                                  const EncodingDims& dims, Injection injection,
                                                  const char* what);

}  // namespace phasor
