#pragma once
// Writes a JSON object to stdout, as one line.

#include <cstdio>
#include <vector>

#include "phasor/tensor.h"

namespace real {

class JsonWriter {
 public:
  JsonWriter() { std::printf("{"); }
  ~JsonWriter() {
    std::printf("}\n");
    std::fflush(stdout);
  }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  void add(const char* name, double value) {
    write_name(name);
    std::printf("%.17g", value);
  }
  template <class Numbers>
  void add_list(const char* name, const Numbers& values) {
    write_name(name);
    write(values);
  }
  void add(const char* name, const phasor::Tensor& t) {
    write_name(name);
    write(t);
  }
  void add(const char* name, const std::vector<phasor::Tensor>& all) {
    write_name(name);
    write_each(all, [](const phasor::Tensor& t) { write(t); });
  }
  /// Starts a nested object, which `close` ends.
  void open(const char* name) {
    write_name(name);
    std::printf("{");
    is_first_ = true;
  }
  void close() {
    std::printf("}");
    is_first_ = false;
  }

 private:
  void write_name(const char* name) {
    std::printf(is_first_ ? "\"%s\":" : ",\"%s\":", name);
    is_first_ = false;
  }
  template <class List, class Write>
  static void write_each(const List& list, const Write& write_one) {
    std::printf("[");
    const char* separator = "";
    for (const auto& item : list) {
      std::printf("%s", separator);
      write_one(item);
      separator = ",";
    }
    std::printf("]");
  }
  template <class Numbers>
  static void write(const Numbers& values) {
    write_each(values, [](auto value) { std::printf("%.17g", static_cast<double>(value)); });
  }
  static void write(const phasor::Tensor& t) {
    std::printf("{\"shape\":");
    write(t.shape);
    std::printf(",\"data\":");
    write_each(t.data, [](float value) { std::printf("%.9g", static_cast<double>(value)); });
    std::printf("}");
  }

  bool is_first_ = true;
};

}  // namespace real
