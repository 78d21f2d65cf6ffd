#include "safetensors/header.h"

#include <algorithm>

#include "core/format_error.h"
#include "core/json_reader.h"

namespace phasor {

namespace {

// Reads the subset of JSON that headers use: objects, strings and lists of whole numbers.
class HeaderReader : private JsonReader {
 public:
  using JsonReader::JsonReader;

  Status read(FileHeader& out) {
    Status status;
    read_object([&](const std::string& name) {
      if (name == kMetadataKey) {
        read_object([&](const std::string& key) {
          std::string value = read_string();
          if (!failed_) out.metadata.add(key, std::move(value));
        });
        return;
      }
      StoredTensor tensor{.name = name, .dtype = {}, .shape = {}};
      read_tensor_info(tensor);
      out.tensors.push_back(std::move(tensor));
    });
    peek();
    if (position_ != json_.size()) fail("text after the object");
    if (!failed_) return {};
    return invalid("weights: the header is not a JSON object of tensors; found {} at byte {}",
                   error_, position_ + 8);
  }

 private:
  void read_tensor_info(StoredTensor& out) {
    bool has_dtype = false, has_shape = false, has_offsets = false;
    read_object([&](const std::string& key) {
      if (key == "dtype" && !has_dtype) {
        has_dtype = true;
        out.dtype = read_string();
      } else if (key == "shape" && !has_shape) {
        has_shape = true;
        read_numbers(out.shape);
      } else if (key == "data_offsets" && !has_offsets) {
        has_offsets = true;
        std::vector<std::uint64_t> offsets;
        read_numbers(offsets);
        if (failed_) return;
        if (offsets.size() != 2) return fail("data_offsets that are not two numbers");
        out.begin = offsets[0];
        out.end = offsets[1];
      } else {
        fail("an unknown field");
      }
    });
    if (!(has_dtype && has_shape && has_offsets))
      fail("a tensor without dtype, shape or data_offsets");
  }

  void read_numbers(std::vector<std::uint64_t>& out) {
    if (!consume('[')) return;
    if (peek() == ']') return ++position_, void();
    do {
      peek();
      std::uint64_t n = 0;
      const std::size_t begin = position_;
      while (position_ < json_.size() && json_[position_] >= '0' && json_[position_] <= '9') {
        const auto digit = static_cast<std::uint64_t>(json_[position_] - '0');
        if (n > (UINT64_MAX - digit) / 10) return fail("a number too large for uint64");
        n = n * 10 + digit;
        ++position_;
      }
      if (position_ == begin) return fail("no whole number");
      if (out.size() == kMaxNumbers) return fail("too many numbers");
      out.push_back(n);
    } while (next_entry(']'));
  }

  static constexpr std::size_t kMaxNumbers = 64;  // PyTorch tensors have at most 64 axes
};

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    constexpr char kDigits[] = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += kDigits[c >> 4];
      out += kDigits[c & 15];
    } else {
      out += c;
    }
  }
  return out += '"';
}

}  // namespace

Status read_header(std::string_view json, FileHeader& out) { return HeaderReader(json).read(out); }

Status check_header_length(std::uint64_t length, std::uint64_t file_bytes) {
  constexpr std::uint64_t kMaxHeaderBytes = 100000000;
  if (length > kMaxHeaderBytes) {
    return invalid(
        "weights: the file is not a safetensors file; the header length is {} bytes, but at most "
        "{} are allowed",
        static_cast<double>(length), static_cast<double>(kMaxHeaderBytes));
  }
  if (length <= file_bytes - kLengthBytes) return {};
  return invalid("weights: the header has {} bytes, but the file has only {}",
                 static_cast<double>(length), static_cast<double>(file_bytes));
}

Status check_offsets(FileHeader& header, std::uint64_t data_bytes) {
  std::sort(header.tensors.begin(), header.tensors.end(),
            [](const StoredTensor& a, const StoredTensor& b) {
              return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
            });
  std::uint64_t end = 0;
  for (const StoredTensor& stored : header.tensors) {
    if (stored.begin != end || stored.end < stored.begin) {
      return invalid(
          "weights: {} begins at byte {} of the data, but the previous tensor ends at {}",
          detail(stored.name), static_cast<double>(stored.begin), static_cast<double>(end));
    }
    end = stored.end;
  }
  if (end == data_bytes) return {};
  return invalid("weights: the file has {} bytes of data, but the header describes {}",
                 detail(static_cast<double>(data_bytes)), static_cast<double>(end));
}

Status read_shape(const StoredTensor& stored, int element_bytes, std::vector<int>& shape) {
  const std::uint64_t bytes = stored.end - stored.begin;
  double element_count = 1;  // may exceed 2^64, so it is a double
  for (const std::uint64_t extent : stored.shape) {
    element_count *= static_cast<double>(extent);
    if (extent > static_cast<std::uint64_t>(kMaxExtent)) {
      return invalid("weights: {} has an extent of {}; expected at most {}", detail(stored.name),
                     static_cast<double>(extent), kMaxExtent);
    }
    shape.push_back(static_cast<int>(extent));
  }
  if (element_count * element_bytes == static_cast<double>(bytes)) return {};
  return invalid("weights: {} with shape {} does not match its {} bytes", detail(stored.name),
                 shape, static_cast<double>(bytes));
}

std::string write_header(const FileHeader& header) {
  std::string out = "{";
  const auto add_comma = [&out] {
    if (out.back() != '{') out += ',';
  };
  if (!header.metadata.empty()) {
    (out += quote(kMetadataKey)) += ":{";
    for (const auto& [key, value] : header.metadata) {
      add_comma();
      (((out += quote(key)) += ':') += quote(value));
    }
    out += '}';
  }
  for (const StoredTensor& tensor : header.tensors) {
    add_comma();
    out += quote(tensor.name);
    ((out += ":{\"dtype\":\"") += tensor.dtype) += "\",\"shape\":[";
    for (std::size_t n = 0; n < tensor.shape.size(); ++n) {
      if (n > 0) out += ',';
      out += std::to_string(tensor.shape[n]);
    }
    (out += "],\"data_offsets\":[") += std::to_string(tensor.begin);
    ((out += ',') += std::to_string(tensor.end)) += "]}";
  }
  out += '}';
  while (out.size() % 8 != 0) out += ' ';  // aligns the tensor data
  return out;
}

}  // namespace phasor
