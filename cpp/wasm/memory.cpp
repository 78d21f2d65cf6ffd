// Fills and copies memory. The C library that Emscripten links at -Oz does both byte by byte, which
// took a third of the time of a small call. These functions copy eight bytes at a time, and use the
// bulk instructions of the engine for long blocks, which every engine with SIMD has. The file is
// compiled without builtins, because the loops would otherwise be compiled to calls of these
// functions.

#include <cstddef>
#include <cstdint>

namespace {

struct [[gnu::packed]] Word {  // unaligned
  std::uint64_t bits;
};

constexpr std::size_t kWord = sizeof(Word);

#if defined(__wasm_bulk_memory__)
// The loop is faster than the bulk instruction for shorter blocks.
constexpr std::size_t kMinBulkBytes = 512;
#else
constexpr std::size_t kMinBulkBytes = SIZE_MAX;
#endif

// Copies from low to high addresses, so that `to` may overlap lower addresses.
void* copy_up(void* to, const void* from, std::size_t count) {
  auto* out = static_cast<unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  for (; count >= kWord; count -= kWord, out += kWord, in += kWord)
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
  for (; count >= kWord; count -= kWord, out += kWord) *reinterpret_cast<Word*>(out) = word;
  for (; count > 0; --count) *out++ = static_cast<unsigned char>(byte);
  return to;
}

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t count) {
  if (count >= kMinBulkBytes) return __builtin_memcpy(to, from, count);
  return copy_up(to, from, count);
}

void* memmove(void* to, const void* from, std::size_t count) {
  if (count >= kMinBulkBytes) return __builtin_memmove(to, from, count);
  auto* out = static_cast<unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  if (out <= in || out >= in + count) return copy_up(to, from, count);
  for (; count >= kWord; count -= kWord)
    *reinterpret_cast<Word*>(out + count - kWord) =
        *reinterpret_cast<const Word*>(in + count - kWord);
  for (; count > 0; --count) out[count - 1] = in[count - 1];
  return to;
}
}
