// Programs with sanitizers, however they are run: malloc answers that there is no memory, which the
// library tries, and does not end them. Of who allocated, two frames are kept: more is a quarter of
// the suite's time, and ASAN_OPTIONS=malloc_context_size=30 has it when something was found. Of
// what was freed, the last 32 MB are watched: tests are small, and with 256 each byte is fresh
// memory.
// __asan_default_options and __tsan_default_options are requested by the sanitizers as they start;
// options in the environment win.

extern "C" {
const char* __asan_default_options();
const char* __tsan_default_options();
[[gnu::used]] const char* __asan_default_options() {
  return "allocator_may_return_null=1:malloc_context_size=2:quarantine_size_mb=32";
}
[[gnu::used]] const char* __tsan_default_options() { return "allocator_may_return_null=1"; }
}
