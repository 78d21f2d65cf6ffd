#pragma once
// Runs functions in turns and takes the median of the processor time of each.

#include <time.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace bench {

#if defined(__clang__)
inline constexpr const char* kCompiler = "Clang " __clang_version__;
#else
inline constexpr const char* kCompiler = "GCC " __VERSION__;
#endif

/// Milliseconds of this thread's processor time.
inline double get_thread_time() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

struct Task {
  std::string label;
  std::function<void()> run;
  std::vector<double> times;
};

// Fills `times` of each task, partially sorted for median(). A turn takes 0.3 ms or more.
inline void time_tasks(std::vector<Task>& tasks) {
  constexpr int kRounds = 25;
  std::vector<int> call_counts;
  for (Task& task : tasks) {
    task.run();
    const double start = get_thread_time();
    int calls = 0;
    do task.run();
    while (++calls, get_thread_time() - start < 0.3);
    call_counts.push_back(calls);
  }
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t n = 0; n < tasks.size(); ++n) {
      const double start = get_thread_time();
      for (int call = 0; call < call_counts[n]; ++call) tasks[n].run();
      tasks[n].times.push_back((get_thread_time() - start) / call_counts[n]);
    }
  }
  for (Task& task : tasks)
    std::nth_element(task.times.begin(), task.times.begin() + kRounds / 2, task.times.end());
}
inline double median(const Task& task) { return task.times[task.times.size() / 2]; }

inline std::vector<float> make_values(std::size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float& x : values) {
    seed = seed * 1664525 + 1013904223;
    x = static_cast<float>(static_cast<int>(seed >> 16) - 32768) / 32768;
  }
  return values;
}

}  // namespace bench
