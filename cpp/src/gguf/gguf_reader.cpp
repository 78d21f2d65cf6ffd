#include "gguf/gguf_reader.h"

#include "core/format_error.h"

namespace phasor {

namespace {

constexpr std::uint64_t kMaxHeaderBytes = 268435456, kMaxListedNumbers = 4096;
constexpr int kMaxArrayDepth = 4;

constexpr bool is_gguf_type(std::uint32_t number) {
  return number <= static_cast<std::uint32_t>(GgufType::float64);
}

}  // namespace

std::uint64_t get_type_size(GgufType type) {
  switch (type) {
    case GgufType::uint8:
    case GgufType::int8:
    case GgufType::boolean: return 1;
    case GgufType::uint16:
    case GgufType::int16: return 2;
    case GgufType::uint32:
    case GgufType::int32:
    case GgufType::float32: return 4;
    case GgufType::uint64:
    case GgufType::int64:
    case GgufType::float64: return 8;
    case GgufType::string:
    case GgufType::array: return 0;
  }
  return 0;
}

void GgufReader::fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

void GgufReader::skip(std::uint64_t count) {
  if (!can_read()) return;
  if (count > remaining_bytes())
    return fail(invalid("gguf: the file is truncated; its header continues after byte {}",
                        detail(file_size_)));
  if (offset_ + count > kMaxHeaderBytes)
    return fail(invalid("gguf: the header has more than {} bytes", detail(kMaxHeaderBytes)));
  offset_ += count;
  if (offset_ > bytes_.size()) bytes_needed_ = offset_;
}

const std::uint8_t* GgufReader::read_bytes(std::uint64_t count) {
  const std::uint64_t from = offset_;
  skip(count);
  return can_read() ? bytes_.data() + from : nullptr;
}

std::uint64_t GgufReader::read_string_size(std::string_view subject) {
  const auto size = read_number<std::uint64_t>();
  if (can_read() && size > remaining_bytes()) {
    fail(invalid("gguf: {} needs {} bytes, but the file has only {} more", detail(subject), size,
                 remaining_bytes()));
    return 0;
  }
  return size;
}

std::string GgufReader::read_text(std::string_view subject) {
  const std::uint64_t size = read_string_size(subject);
  const std::uint8_t* from = read_bytes(size);
  if (from == nullptr) return {};
  return {reinterpret_cast<const char*>(from), static_cast<std::size_t>(size)};
}

double GgufReader::read_element(GgufType type) {
  switch (type) {
    case GgufType::boolean:
    case GgufType::uint8: return read_number<std::uint8_t>();
    case GgufType::int8: return read_number<std::int8_t>();
    case GgufType::uint16: return read_number<std::uint16_t>();
    case GgufType::int16: return read_number<std::int16_t>();
    case GgufType::uint32: return read_number<std::uint32_t>();
    case GgufType::int32: return read_number<std::int32_t>();
    case GgufType::float32: return static_cast<double>(read_number<float>());
    case GgufType::uint64: return static_cast<double>(read_number<std::uint64_t>());
    case GgufType::int64: return static_cast<double>(read_number<std::int64_t>());
    case GgufType::float64: return read_number<double>();
    case GgufType::string:
    case GgufType::array: break;
  }
  return 0;
}

void GgufReader::skip_elements(const std::string& key, GgufType type, std::uint64_t count,
                               int depth) {
  // A string takes at least 8 bytes for its length, an array 12 bytes for its type and count.
  const std::uint64_t min_bytes = type == GgufType::string  ? 8
                                  : type == GgufType::array ? 12
                                                            : get_type_size(type);
  if (can_read() && count > remaining_bytes() / min_bytes) {
    return fail(invalid("{}: an array of {} elements does not fit in the remaining {} bytes", key,
                        detail(count), remaining_bytes()));
  }
  if (depth > kMaxArrayDepth)
    return fail(
        invalid("{}: arrays are nested more than {} levels deep", key, detail(kMaxArrayDepth)));
  if (get_type_size(type) > 0) return skip(count * get_type_size(type));
  for (std::uint64_t n = 0; n < count && can_read(); ++n) {
    if (type == GgufType::string) {
      skip(read_string_size(key));
    } else {
      const auto element_type = read_number<std::uint32_t>();
      const auto element_count = read_number<std::uint64_t>();
      if (!is_gguf_type(element_type))
        return fail(invalid("{}: array type {} is not known", key, detail(element_type)));
      skip_elements(key, static_cast<GgufType>(element_type), element_count, depth + 1);
    }
  }
}

void GgufReader::read_array(const std::string& key, GgufArray& out) {
  const auto type = read_number<std::uint32_t>();
  out.count = read_number<std::uint64_t>();
  if (!is_gguf_type(type))
    return fail(invalid("{}: array type {} is not known", key, detail(type)));
  out.type = static_cast<GgufType>(type);
  out.begin = offset_;
  if (get_type_size(out.type) > 0 && out.count <= kMaxListedNumbers) {
    for (std::uint64_t n = 0; n < out.count && can_read(); ++n)
      out.numbers.push_back(read_element(out.type));
  } else {
    skip_elements(key, out.type, out.count, 1);
  }
  out.end = offset_;
}

void GgufReader::read_value(const std::string& key, GgufType type, GgufValue& out) {
  out.type = type;
  switch (type) {
    case GgufType::uint8:
    case GgufType::uint16:
    case GgufType::uint32: out.value = static_cast<std::uint64_t>(read_element(type)); return;
    case GgufType::uint64: out.value = read_number<std::uint64_t>(); return;
    case GgufType::int8:
    case GgufType::int16:
    case GgufType::int32: out.value = static_cast<std::int64_t>(read_element(type)); return;
    case GgufType::int64: out.value = read_number<std::int64_t>(); return;
    case GgufType::float32:
    case GgufType::float64: out.value = read_element(type); return;
    case GgufType::string: out.value = read_text(key); return;
    case GgufType::array: return read_array(key, out.value.emplace<GgufArray>());
    case GgufType::boolean: {
      const auto byte = read_number<std::uint8_t>();
      if (byte > 1) fail(invalid("{}: {} is not a boolean; expected 0 or 1", key, byte));
      out.value = byte == 1;
      return;
    }
  }
  fail(invalid("{}: type {} is not known", key, detail(static_cast<std::uint32_t>(type))));
}

}  // namespace phasor
