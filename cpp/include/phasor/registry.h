#pragma once
// The list of all encodings, made by the build from the files in cpp/src/encodings.

#include <memory>
#include <span>
#include <string_view>

#include "phasor/encoding_type.h"
#include "phasor/result.h"

namespace phasor {

/// Every encoding, sorted by id.
std::span<const EncodingType* const> encodings();

/// The encoding of that id, or nullptr.
const EncodingType* find(std::string_view id);

/// Validates parameters and sizes and makes the encoding. Unknown ids and parameters, values out of
/// range and sizes the encoding cannot work with are refused with one sentence.
Result<std::unique_ptr<Encoding>> create(const EncodingConfig& config, const Geometry& geometry);

/// The same for a caller who needs an encoding of one injection point: any other is refused before
/// its sizes are looked at, by what it does not have ("table").
Result<std::unique_ptr<Encoding>> create(const EncodingConfig& config, const Geometry& geometry,
                                         Injection injection, const char* what);

}  // namespace phasor
