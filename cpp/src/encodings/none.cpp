// No positional encoding: attention is invariant to the order of keys. Order can still enter
// through a causal mask (Haviv et al. 2022, arXiv 2203.16634; Kazemnejad et al. 2023, arXiv
// 2305.19466).

#include "encoding_base/registry_entry.h"

namespace phasor::encoding::none {
namespace {

class None final : public NoEncoding {
 public:
  bool symmetric() const override { return true; }
};

EncodingResult create(const ResolvedParams&, const EncodingDims&) {
  return EncodingResult(std::make_unique<None>());
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

}  // namespace phasor::encoding::none
