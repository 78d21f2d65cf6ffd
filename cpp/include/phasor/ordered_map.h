#pragma once
// A map that keeps the order in which entries were added.

#include <cstdlib>
#include <initializer_list>
#include <list>
#include <string>
#include <string_view>
#include <utility>

namespace phasor {

/// A map from names to values, iterated in the order in which they were added, the order of
/// parameters in a config.json or a call. Searches are linear: there are a few dozen entries at
/// most. References to values stay valid while others are added.
template <class T>
class OrderedMap {
 public:
  using Entry = std::pair<std::string, T>;

  OrderedMap() = default;
  OrderedMap(std::initializer_list<Entry> entries) : entries_(entries) {}

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  /// The value, or nullptr.
  const T* find(std::string_view name) const {
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
  T& add(std::string name, T value) {
    return entries_.emplace_back(std::move(name), std::move(value)).second;
  }

 private:
  std::list<Entry> entries_;
};

}  // namespace phasor
