// No positional encoding: attention sees a set of tokens. Order can still enter through a causal mask
// (Haviv et al. 2022, arXiv 2203.16634; Kazemnejad et al. 2023, arXiv 2305.19466).

#include "encoding/encoding_type.h"

namespace phasor {
namespace {

class None final : public NoEncoding {
 public:
  bool symmetric() const override { return true; }
};

Status create(const Values&, const Geometry&, std::unique_ptr<Encoding>& out) {
  out = std::make_unique<None>();
  return {};
}

}  // namespace

PHASOR_ENCODING(none) = {
    .id = "none",
    .injection = None::kInjection,
    .relative = true,
    .symmetric = true,
    .prefix_stable = true,
    .create = create,
};

}  // namespace phasor
