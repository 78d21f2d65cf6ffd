#include "core/format_error.h"
#include "request.h"

namespace phasor_js {

namespace {

// A field of version 0.1 and its possible present names, of which a call has at most one.
struct RenamedField {
  std::string_view before;
  phasor::ChoiceList now;
};
constexpr RenamedField kRenamedFields[] = {
    {"want", "outputs"},
    {"map", "pooling"},
    {"pooling.cell", "pooling.cellSize"},
    {"width", "dim, headDim, embedDim"},
    {"valueWidth", "vHeadDim"},
    {"output", "computeOutput"},
    {"offset", "positionOffset"},
    {"past", "pastLength"},
    {"numbering", "sinkPositions"},
    {"measure", "metric"},
    {"feedForward", "dimFeedforward"},
    {"tiedHead", "tieWordEmbeddings"},
    {"inputStd", "tableInitStd"},
    {"batch", "batchSize"},
    {"length", "sequenceLength"},
    {"shortestLength", "minSequenceLength"},
    {"finalLr", "minLrRatio"},
    {"tableLr", "biasTableLrScale"},
    {"items", "numSamples"},
    {"beyond", "outOfRange"},
    {"observe", "extraMetrics"},
    {"stored", "dtype"},
    {"encoding.rotary_width", "rotary_dim"},
};

}  // namespace

std::vector<std::string_view> current_names(std::string_view before) {
  for (const RenamedField& field : kRenamedFields) {
    if (field.before == before) return field.now.list();
  }
  return {};
}

Status renamed_to(std::string_view before, std::string_view now) {
  return phasor::unknown("{} was renamed to {}", phasor::Subject{before}, now);
}

}  // namespace phasor_js
