// memset, memcpy and memmove. With -Oz, the versions of Emscripten's C library work byte by byte,
// which took a third of the time of a small call. These functions copy eight bytes at a time, and
// copy long blocks with the bulk instructions that every engine with SIMD has. The file is compiled
// without builtins, because compilers would otherwise turn the loops into calls of these same
// functions.

#include <cstddef>
#include <cstdint>

namespace {

struct [[gnu::packed]] Word {  // unaligned
  std::uint64_t bits;
};

constexpr std::size_t kWordBytes = sizeof(Word);

#if defined(__wasm_bulk_memory__)
// For blocks that are shorter than this, the loop is faster than the bulk instruction.
constexpr std::size_t kMinBulkBytes = 512;
#else
constexpr std::size_t kMinBulkBytes = SIZE_MAX;
#endif

// Copies from low to high addresses. If the blocks overlap, `to` must begin before `from`.
void* copy_forward(void* to, const void* from, std::size_t count) {
  auto* out = static_cast<unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  for (; count >= kWordBytes; count -= kWordBytes, out += kWordBytes, in += kWordBytes)
    *reinterpret_cast<Word*>(out) = *reinterpret_cast<const Word*>(in);
  for (; count > 0; --count) *out++ = *in++;
  return to;
}

}  // namespace

extern "C" {

void* memset(void* to, int byte, std::size_t count) {
  if (count >= kMinBulkBytes) return __builtin_memset(to, byte, count);
  auto* out = static_cast<unsigned char*>(to);
  const Word word{0x0101010101010101u * static_cast<unsigned char>(byte)};
  for (; count >= kWordBytes; count -= kWordBytes, out += kWordBytes)
    *reinterpret_cast<Word*>(out) = word;
  for (; count > 0; --count) *out++ = static_cast<unsigned char>(byte);
  return to;
}

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t count) {
  if (count >= kMinBulkBytes) return __builtin_memcpy(to, from, count);
  return copy_forward(to, from, count);
}

void* memmove(void* to, const void* from, std::size_t count) {
  if (count >= kMinBulkBytes) return __builtin_memmove(to, from, count);
  auto* out = static_cast<unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  if (out <= in || out >= in + count) return copy_forward(to, from, count);
  for (; count >= kWordBytes; count -= kWordBytes)
    *reinterpret_cast<Word*>(out + count - kWordBytes) =
        *reinterpret_cast<const Word*>(in + count - kWordBytes);
  for (; count > 0; --count) out[count - 1] = in[count - 1];
  return to;
}
}
