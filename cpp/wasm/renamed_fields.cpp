#include "core/format_error.h"
#include "request.h"

namespace phasor_js {

namespace {

// A field name of version 0.1 and its replacements. Each call uses at most one of the replacements.
struct RenamedField {
  std::string_view old_name;
  phasor::ChoiceList new_names;
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

std::vector<std::string_view> find_current_names(std::string_view old_name) {
  for (const RenamedField& field : kRenamedFields) {
    if (field.old_name == old_name) return field.new_names.list();
  }
  return {};
}

Status make_rename_error(std::string_view old_name, std::string_view new_name) {
  return phasor::unknown("{} was renamed to {}", phasor::Subject{old_name}, new_name);
}

}  // namespace phasor_js
