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

std::size_t held = 0, peak = 0, small = SIZE_MAX;
int watch = 0;
double large = 0, allowed = 0, beyond = 0;

void* take(std::size_t size) {
  auto* header = static_cast<Header*>(std::malloc(size + sizeof(Header)));
  if (header == nullptr) std::abort();
  *header = {size, size >= small ? watch : 0};
  held += size;
  peak = std::max(peak, held);
  if (header->watch != 0) {
    large += static_cast<double>(size);
    beyond = std::max(beyond, large - allowed);
  }
  return header + 1;
}

void give_back(void* piece) noexcept {
  if (piece == nullptr) return;
  Header* header = static_cast<Header*>(piece) - 1;
  held -= header->size;
  if (header->watch == watch) large -= static_cast<double>(header->size);
  std::free(header);
}

}  // namespace

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void operator delete(void* piece) noexcept { give_back(piece); }
void operator delete[](void* piece) noexcept { give_back(piece); }
void operator delete(void* piece, std::size_t) noexcept { give_back(piece); }
void operator delete[](void* piece, std::size_t) noexcept { give_back(piece); }
void operator delete(void* piece, const std::nothrow_t&) noexcept { give_back(piece); }
void operator delete[](void* piece, const std::nothrow_t&) noexcept { give_back(piece); }

namespace phasor::test {

std::size_t Allocations::held() { return ::held; }
std::size_t Allocations::peak() { return ::peak; }
void Allocations::reset_peak() { ::peak = ::held; }

void Allocations::watch_large(std::size_t least) {
  small = least;
  ++watch;
  ::large = allowed = ::beyond = 0;
}

double Allocations::large() { return ::large; }
void Allocations::allow(double bytes) { allowed = bytes; }
double Allocations::beyond() { return ::beyond; }

}  // namespace phasor::test
