#pragma once
// Objects that stay in this memory between calls: only plain values cross to JavaScript, and to
// workers. JavaScript numbers them (web/engine/handles.ts), so that a number means one
// thing in all of its engines, and nothing in a memory that has started anew.

#include <forward_list>
#include <memory>

#include "fields.h"
#include "phasor/phasor.h"
#ifdef PHASOR_NN
#include "phasor/train.h"
#endif

namespace phasor_js {

struct Handle {
  double number = 0;
  // One of these.
  std::unique_ptr<phasor::Tensor> tensor{};
  std::shared_ptr<phasor::Encoding> encoding{};  // caches that were opened with it have it too
  std::unique_ptr<phasor::KeyValueCache> cache{};
#ifdef PHASOR_NN
  std::unique_ptr<phasor::Trainer> trainer{};  // found by its number alone (train_calls.cpp)
#endif

  Field::Kind kind() const {
    return tensor ? Field::Kind::tensor : encoding ? Field::Kind::encoding : Field::Kind::cache;
  }
};

class Handles {
 public:
  void add(Handle handle);
  // nullptr where there is none.
  const Handle* find(double number) const;
  void release(double number);

 private:
  std::forward_list<Handle> all_;  // the newest first
};

// Those of this memory.
Handles& handles();

}  // namespace phasor_js
