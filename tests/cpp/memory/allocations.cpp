#include "allocations.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

// Precedes each block; its size is a multiple of the alignment.
struct alignas(16) Header {
  std::size_t size;
  int watch;  // calls of watch_large() before its allocation; 0 for a small block
};

std::size_t current_bytes = 0, peak_bytes = 0, large_block_size = SIZE_MAX;
int watch = 0;
double large_bytes = 0, allowed_bytes = 0, excess_bytes = 0;

void* allocate(std::size_t size) {
  auto* header = static_cast<Header*>(std::malloc(size + sizeof(Header)));
  if (header == nullptr) std::abort();
  *header = {size, size >= large_block_size ? watch : 0};
  current_bytes += size;
  peak_bytes = std::max(peak_bytes, current_bytes);
  if (header->watch != 0) {
    large_bytes += static_cast<double>(size);
    excess_bytes = std::max(excess_bytes, large_bytes - allowed_bytes);
  }
  return header + 1;
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  Header* header = static_cast<Header*>(block) - 1;
  current_bytes -= header->size;
  if (header->watch == watch) large_bytes -= static_cast<double>(header->size);
  std::free(header);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { release(block); }

namespace phasor::test {

std::size_t Allocations::current_bytes() { return ::current_bytes; }
std::size_t Allocations::peak_bytes() { return ::peak_bytes; }
void Allocations::reset_peak() { ::peak_bytes = ::current_bytes; }

void Allocations::watch_large(std::size_t min_size) {
  large_block_size = min_size;
  ++watch;
  ::large_bytes = allowed_bytes = ::excess_bytes = 0;
}

double Allocations::large_bytes() { return ::large_bytes; }
void Allocations::allow_bytes(double bytes) { allowed_bytes = bytes; }
double Allocations::excess_bytes() { return ::excess_bytes; }

}  // namespace phasor::test
