#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "phasor/phasor.h"

namespace train_program {

phasor::Result<std::vector<std::uint8_t>> read_file(const std::string& path);
/// Writes to a temporary file and renames it, so that no file is left incomplete.
phasor::Status write_file(const std::string& path, std::span<const std::uint8_t> bytes);
phasor::Status write_file(const std::string& path, const std::string& text);
/// Checks, before a long computation, that a file can be written to this path.
phasor::Status check_writable(const std::string& path);
bool file_exists(const std::string& path);

/// Reads an 8-bit binary PGM or PPM image (P5 or P6) into a tensor (rows, columns, channels) with
/// values from 0 to 1.
phasor::Result<phasor::Tensor> read_image(const std::string& path);

}  // namespace train_program
