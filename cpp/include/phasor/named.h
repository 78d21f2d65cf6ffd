#pragma once
// Values by their names.

#include <cstdlib>
#include <initializer_list>
#include <list>
#include <string>
#include <string_view>
#include <utility>

namespace phasor {

/// A few values, each under a name of its own, in the order they came. Values stay where they are
/// while others come. Used like std::map, whose trees were 5 % of the WebAssembly.
template <class T>
class Named {
 public:
  using Entry = std::pair<std::string, T>;

  Named() = default;
  Named(std::initializer_list<Entry> entries) : entries_(entries) {}

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  /// The value, or nullptr.
  [[gnu::noinline]] const T* find(std::string_view name) const {
    for (const Entry& entry : entries_) {
      if (entry.first == name) return &entry.second;
    }
    return nullptr;
  }
  T* find(std::string_view name) { return const_cast<T*>(std::as_const(*this).find(name)); }
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// The value, which must be there: a name that is not ends the program.
  const T& at(std::string_view name) const {
    const T* value = find(name);
    if (!value) std::abort();
    return *value;
  }
  T& at(std::string_view name) { return const_cast<T&>(std::as_const(*this).at(name)); }
  /// The value, which is made where there is none.
  T& operator[](std::string_view name) {
    T* known = find(name);
    return known ? *known : add(std::string(name), T());
  }
  /// Puts a value under a name that is not there yet.
  [[gnu::noinline]] T& add(std::string name, T value) {
    return entries_.emplace_back(std::move(name), std::move(value)).second;
  }

 private:
  std::list<Entry> entries_;
};

}  // namespace phasor
