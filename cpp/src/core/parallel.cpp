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
  int open_slots;           // number of threads that may still join
  int running_threads = 0;  // pool threads that are running the body
};

class ThreadPool {
 public:
  void run(Job& job) {
    std::unique_lock lock(mutex_);
    jobs_.push_back(&job);
    grow();
    lock.unlock();
    work_available_.notify_all();
    job.body(job.context);
    lock.lock();
    jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));  // no more threads join after this
    job_finished_.wait(lock, [&] { return job.running_threads == 0; });
  }

 private:
  // Grows the pool to the number of threads that current jobs can use. At the system's thread
  // limit, pthread_create returns an error and the pool stays smaller; std::thread would throw.
  void grow() {
    int target_threads = 0;
    for (const Job* job : jobs_) target_threads += job->open_slots + job->running_threads;
    for (; thread_count_ < target_threads; ++thread_count_) {
      pthread_t thread;
      const auto run_worker = [](void* pool) -> void* {
        static_cast<ThreadPool*>(pool)->run_worker();
      };
      if (pthread_create(&thread, nullptr, run_worker, this) != 0) return;
      pthread_detach(thread);
    }
  }

  [[noreturn]] void run_worker() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto entry = std::find_if(jobs_.begin(), jobs_.end(), [](const Job* candidate) {
        return candidate->open_slots > 0;
      });
      if (entry == jobs_.end()) {
        work_available_.wait(lock);
        continue;
      }
      Job& job = **entry;
      --job.open_slots;
      ++job.running_threads;
      lock.unlock();
      job.body(job.context);
      lock.lock();
      if (--job.running_threads == 0) job_finished_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable work_available_, job_finished_;
  std::vector<Job*> jobs_;
  int thread_count_ = 0;
};

}  // namespace

void run_on_threads(int threads, void (*body)(void* context), void* context) {
  if (threads <= 1) return body(context);
  // The pool is never destroyed, because its threads wait in it until the program ends.
  static ThreadPool& pool = *new ThreadPool;
  Job job{body, context, threads - 1};
  pool.run(job);
}

#else

void run_on_threads(int, void (*body)(void* context), void* context) { body(context); }

#endif

}  // namespace phasor
