#include "core/buffer.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace phasor {

namespace {

constexpr int kReservedBytes = 1 << 23;  // reserved for working memory in addition to a result

double limit_bytes = std::numeric_limits<double>::infinity();
MemoryWatch* active_watch = nullptr;

}  // namespace

// Calls malloc, because operator new ends the program under Emscripten even with std::nothrow.
bool is_memory_available(double bytes) {
  if (bytes > static_cast<double>(std::numeric_limits<std::ptrdiff_t>::max())) return false;
  // volatile, because compilers may otherwise assume that malloc succeeds
  void* volatile trial_allocation = std::malloc(static_cast<std::size_t>(bytes));
  const bool is_allocated = trial_allocation != nullptr;
  std::free(trial_allocation);
  return is_allocated;
}

bool can_allocate(double bytes) {
  if (bytes > limit_bytes || (active_watch != nullptr && !active_watch->allows(bytes)))
    return false;
  // Small sizes are not tested, because a test allocation takes longer than most calls. If a small
  // allocation fails, the engine restarts.
  return bytes < kMinCheckedBytes || is_memory_available(bytes + kReservedBytes);
}

Buffer::Buffer(std::size_t size)
    : storage_(new float[size + kCacheLineBytes / sizeof(float)]), size_(size) {}

Buffer::Buffer(const Buffer& other) : Buffer(other.size_) {
  std::copy_n(other.data(), size_, data());
}

MemoryWatch::MemoryWatch(int failing_call) : failing_call_(failing_call) { active_watch = this; }
MemoryWatch::~MemoryWatch() { active_watch = nullptr; }

MemoryLimit::MemoryLimit(double bytes) : previous_limit_bytes_(limit_bytes) { limit_bytes = bytes; }
MemoryLimit::~MemoryLimit() { limit_bytes = previous_limit_bytes_; }

}  // namespace phasor
