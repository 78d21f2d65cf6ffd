// Embind announces every type that anybody may bind: numbers, strings of three widths, handles of
// values, views of memory. Nothing but void crosses here (boundary.js, answer.cpp and arrays.cpp
// hand over the rest): CMakeLists.txt has the other announcements come to these functions, so that
// the glue is built without what reads them.

#include <cstddef>
#include <cstdint>

extern "C" {
void __wrap__embind_register_bool(const void*, const char*, std::size_t, bool, bool) {}
void __wrap__embind_register_integer(const void*, const char*, std::size_t, std::int32_t,
                                     std::uint32_t) {}
void __wrap__embind_register_bigint(const void*, const char*, std::size_t, std::int64_t,
                                    std::uint64_t) {}
void __wrap__embind_register_float(const void*, const char*, std::size_t) {}
void __wrap__embind_register_std_string(const void*, const char*) {}
void __wrap__embind_register_std_wstring(const void*, std::size_t, const char*) {}
void __wrap__embind_register_emval(const void*, const char*) {}
void __wrap__embind_register_memory_view(const void*, unsigned, const char*) {}
}
