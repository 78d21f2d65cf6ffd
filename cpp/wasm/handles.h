#pragma once
// Objects that stay in WebAssembly memory between calls. JavaScript refers to them by number
// (web/engine/handles.ts). A number is unique among all engines, and becomes invalid when its
// engine is restarted.

#include <forward_list>
#include <memory>

#include "fields.h"
#include "phasor/phasor.h"
#ifdef PHASOR_MODEL
#include "phasor/model.h"
#endif
#ifdef PHASOR_NN
#include "phasor/train.h"
#endif

namespace phasor_js {

struct Handle {
  double number = 0;
  // Exactly one of these pointers is set.
  std::unique_ptr<phasor::Tensor> tensor{};
  std::shared_ptr<phasor::Encoding> encoding{};  // shared with the caches that use it
  std::unique_ptr<phasor::KeyValueCache> cache{};
#ifdef PHASOR_MODEL
  std::unique_ptr<phasor::ModelCache> model_cache{};
#endif
#ifdef PHASOR_NN
  // A trainer has no Field::Kind, because only train_calls.cpp uses it.
  std::unique_ptr<phasor::Trainer> trainer{};
#endif

  Field::Kind kind() const {
    return tensor ? Field::Kind::tensor : encoding ? Field::Kind::encoding : Field::Kind::cache;
  }
};

class Handles {
 public:
  void add(Handle handle);
  // Returns the handle with this number, or nullptr if there is none.
  const Handle* find(double number) const;
  void release(double number);

 private:
  std::forward_list<Handle> handles_;  // newest first
};

Handles& get_handles();

}  // namespace phasor_js
