#include "files.h"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace train_program {

namespace {

using phasor::Status;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
File open_file(const std::string& path, const char* mode) {
  return {std::fopen(path.c_str(), mode), std::fclose};
}

// Reads the next integer of an image header, skipping white space and comments. Returns -1 if there
// is no integer.
int read_header_number(std::span<const std::uint8_t> bytes, std::size_t& offset) {
  while (offset < bytes.size() && (bytes[offset] <= ' ' || bytes[offset] == '#')) {
    if (bytes[offset] == '#')
      while (offset < bytes.size() && bytes[offset] != '\n') ++offset;
    else
      ++offset;
  }
  int number = -1;
  for (; offset < bytes.size() && bytes[offset] >= '0' && bytes[offset] <= '9' && number < 100000;
       ++offset)
    number = (number < 0 ? 0 : number) * 10 + (bytes[offset] - '0');
  return number;
}

}  // namespace

phasor::Result<std::vector<std::uint8_t>> read_file(const std::string& path) {
  const File file = open_file(path, "rb");
  if (file == nullptr) return Status::invalid("\"" + path + "\" cannot be read");
  std::vector<std::uint8_t> bytes;
  std::uint8_t buffer[65536];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file.get())) > 0;)
    bytes.insert(bytes.end(), buffer, buffer + n);
  return bytes;
}

Status write_file(const std::string& path, std::span<const std::uint8_t> bytes) {
  const std::string temporary_path = path + ".part";
  {
    const File file = open_file(temporary_path, "wb");
    if (file == nullptr || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
      return Status::invalid("\"" + path + "\" cannot be written");
  }
  std::error_code error;
  std::filesystem::rename(temporary_path, path, error);
  return error ? Status::invalid("\"" + path + "\" cannot be written") : Status{};
}

Status write_file(const std::string& path, const std::string& text) {
  return write_file(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

Status check_writable(const std::string& path) {
  const std::string temporary_path = path + ".part";
  std::error_code error;
  const bool is_writable =
      !std::filesystem::is_directory(path, error) && open_file(temporary_path, "wb") != nullptr;
  std::filesystem::remove(temporary_path, error);
  return is_writable ? Status{} : Status::invalid("\"" + path + "\" cannot be written");
}

bool file_exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

phasor::Result<phasor::Tensor> read_image(const std::string& path) {
  return phasor::Result<phasor::Tensor>::from([&](phasor::Tensor& out) -> Status {
    PHASOR_TRY_ASSIGN(const std::vector<std::uint8_t> bytes, read_file(path));
    const bool is_colour = bytes.size() > 2 && bytes[0] == 'P' && bytes[1] == '6',
               is_grey = bytes.size() > 2 && bytes[0] == 'P' && bytes[1] == '5';
    std::size_t offset = 2;
    const int columns = is_colour || is_grey ? read_header_number(bytes, offset) : -1,
              rows = read_header_number(bytes, offset),
              max_value = read_header_number(bytes, offset), channels = is_colour ? 3 : 1;
    ++offset;  // a single white-space character ends the header
    if (columns < 1 || rows < 1 || columns > 4096 || rows > 4096 || max_value < 1 ||
        max_value > 255)
      return Status::invalid("\"" + path + "\" is not an 8-bit binary PGM or PPM file");
    const auto pixel_bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) *
                             static_cast<std::size_t>(channels);
    if (bytes.size() < offset + pixel_bytes)
      return Status::invalid("\"" + path + "\" is truncated");
    out = phasor::Tensor({rows, columns, channels});
    for (std::size_t i = 0; i < pixel_bytes; ++i)
      out.data[i] = static_cast<float>(bytes[offset + i]) / static_cast<float>(max_value);
    return {};
  });
}

}  // namespace train_program
