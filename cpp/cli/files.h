#pragma once
// Files in and out.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "phasor/phasor.h"

namespace train_program {

phasor::Result<std::vector<std::uint8_t>> read_file(const std::string& path);
/// Writes a temporary file beside it and renames it, so that a file is never half written.
phasor::Status write_file(const std::string& path, std::span<const std::uint8_t> bytes);
phasor::Status write_file(const std::string& path, const std::string& text);
/// Whether write_file would succeed; checked before a long computation.
phasor::Status check_writable(const std::string& path);
bool file_exists(const std::string& path);

/// A binary PGM or PPM of 8 bits (P5, P6): (rows, columns, channels) in 0 .. 1.
phasor::Result<phasor::Tensor> read_image(const std::string& path);

}  // namespace train_program
