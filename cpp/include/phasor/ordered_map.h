#pragma once
// A map that preserves insertion order.

#include <cstdlib>
#include <initializer_list>
#include <list>
#include <string>
#include <string_view>
#include <utility>

namespace phasor {

/// A map from names to values, iterated in insertion order. Lookup is linear, which is fast enough
/// for a few dozen entries. References stay valid when entries are added.
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

  /// Returns the value, or nullptr if the name is not in the map.
  const T* find(std::string_view name) const {
    for (const Entry& entry : entries_) {
      if (entry.first == name) return &entry.second;
    }
    return nullptr;
  }
  T* find(std::string_view name) { return const_cast<T*>(std::as_const(*this).find(name)); }
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// Returns the value. Ends the program if the name is not in the map.
  const T& at(std::string_view name) const {
    const T* value = find(name);
    if (!value) std::abort();
    return *value;
  }
  T& at(std::string_view name) { return const_cast<T&>(std::as_const(*this).at(name)); }
  /// Returns the value. If the name is not in the map, adds it with a default value.
  T& operator[](std::string_view name) {
    T* value = find(name);
    return value ? *value : add(std::string(name), T());
  }
  /// Appends an entry. Does not check whether the name exists.
  T& add(std::string name, T value) {
    return entries_.emplace_back(std::move(name), std::move(value)).second;
  }

 private:
  std::list<Entry> entries_;
};

}  // namespace phasor
