#include "core/buffer.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace phasor {

namespace {

constexpr int kWorkingBytes = 1 << 23;  // working memory besides a result

double limit = std::numeric_limits<double>::infinity();
MemoryWatch* watch = nullptr;

}  // namespace

// Calls malloc, because operator new ends the program under Emscripten even with std::nothrow.
bool is_available(double bytes) {
  if (bytes > static_cast<double>(std::numeric_limits<std::ptrdiff_t>::max())) return false;
  // volatile, because compilers may otherwise assume that malloc succeeds
  void* volatile trial = std::malloc(static_cast<std::size_t>(bytes));
  const bool succeeded = trial != nullptr;
  std::free(trial);
  return succeeded;
}

bool can_allocate(double bytes) {
  if (bytes > limit || (watch != nullptr && !watch->allows(bytes))) return false;
  // Small sizes are not tried, because a trial costs more than most calls. If a small allocation
  // fails, the engine restarts.
  return bytes < kMinCheckedBytes || is_available(bytes + kWorkingBytes);
}

Buffer::Buffer(std::size_t size)
    : storage_(new float[size + kCacheLineBytes / sizeof(float)]), size_(size) {}

Buffer::Buffer(const Buffer& other) : Buffer(other.size_) {
  std::copy_n(other.data(), size_, data());
}

MemoryWatch::MemoryWatch(int failing_call) : failing_call_(failing_call) { watch = this; }
MemoryWatch::~MemoryWatch() { watch = nullptr; }

MemoryLimit::MemoryLimit(double bytes) : previous_limit_(limit) { limit = bytes; }
MemoryLimit::~MemoryLimit() { limit = previous_limit_; }

}  // namespace phasor
