#include "core/parallel.h"

#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)
#define PHASOR_THREADS 1
#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>
#else
#define PHASOR_THREADS 0
#endif

namespace phasor {

#if PHASOR_THREADS

namespace {

struct Job {
  void (*body)(void*);
  void* context;
  int vacant;      // number of threads that may still join
  int active = 0;  // pool threads that are running the body
};

class ThreadPool {
 public:
  void run(Job& job) {
    std::unique_lock lock(mutex_);
    jobs_.push_back(&job);
    grow();
    lock.unlock();
    offered_.notify_all();
    job.body(job.context);
    lock.lock();
    jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));  // no thread joins after this
    left_.wait(lock, [&] { return job.active == 0; });
  }

 private:
  // Adds threads up to the number that current jobs can use, or that the system allows. The
  // constructor of std::thread would throw beyond that.
  void grow() {
    int target_size = 0;
    for (const Job* job : jobs_) target_size += job->vacant + job->active;
    for (; size_ < target_size; ++size_) {
      pthread_t thread;
      const auto work = [](void* pool) -> void* { static_cast<ThreadPool*>(pool)->work(); };
      if (pthread_create(&thread, nullptr, work, this) != 0) return;
      pthread_detach(thread);
    }
  }

  [[noreturn]] void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto job = std::find_if(jobs_.begin(), jobs_.end(),
                                    [](const Job* offered) { return offered->vacant > 0; });
      if (job == jobs_.end()) {
        offered_.wait(lock);
        continue;
      }
      Job& joined = **job;
      --joined.vacant;
      ++joined.active;
      lock.unlock();
      joined.body(joined.context);
      lock.lock();
      if (--joined.active == 0) left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable offered_, left_;
  std::vector<Job*> jobs_;
  int size_ = 0;
};

}  // namespace

void run_on_threads(int threads, void (*body)(void* context), void* context) {
  if (threads <= 1) return body(context);
  // Never destroyed, because its threads wait in it until the program ends.
  static ThreadPool& pool = *new ThreadPool;
  Job job{body, context, threads - 1};
  pool.run(job);
}

#else

void run_on_threads(int, void (*body)(void* context), void* context) { body(context); }

#endif

}  // namespace phasor
