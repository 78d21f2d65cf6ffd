#include "arguments.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace train_program {

namespace {

using phasor::ParamInfo;
using phasor::ParamKind;
using phasor::Status;

bool read_number(const std::string& text, double& out) {
  // std::from_chars does not support double before libc++ 20.
  char* end = nullptr;
  out = std::strtod(text.c_str(), &end);
  return !text.empty() && end == text.c_str() + text.size() && std::isfinite(out);
}

Status invalid_value(const std::string& option, const std::string& text, const char* expected) {
  return Status::invalid("--" + option + ": \"" + text + "\" is not " + expected);
}

Status read_positive_integer(const std::string& option, const std::string& text, int& out) {
  double number = 0;
  if (!read_number(text, number) || number < 1 || number > 1e9 ||
      number != static_cast<double>(static_cast<int>(number)))
    return invalid_value(option, text, "a whole number of at least 1");
  out = static_cast<int>(number);
  return {};
}

Status read_lengths(const std::string& text, std::vector<int>& out) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    PHASOR_TRY(
        read_positive_integer("lengths", text.substr(begin, comma - begin), out.emplace_back()));
    begin = comma + 1;
  }
  return {};
}

Status read_param(std::span<const ParamInfo> params, const std::string& option,
                  const std::string& name, const std::string& text, phasor::Params& out) {
  const auto param_info = std::find_if(params.begin(), params.end(),
                                       [&](const ParamInfo& param) { return param.name == name; });
  if (out.contains(name)) return Status::invalid("--" + option + ": occurs twice");
  // Unknown parameters are stored as strings; the library rejects them later and lists the known
  // ones.
  const bool is_text = param_info == params.end() || param_info->kind == ParamKind::choice;
  double number = 0;
  if (is_text) {
    out.add(name, text);
  } else if (text == "true" || text == "false") {
    out.add(name, text == "true");
  } else if (read_number(text, number)) {
    out.add(name, number);
  } else {
    return invalid_value(option, text, "a number, true or false");
  }
  return {};
}

}  // namespace

phasor::Result<Arguments> read_arguments(const std::vector<std::string>& args) {
  return phasor::Result<Arguments>::from([&](Arguments& out) -> Status {
    std::vector<std::pair<std::string, std::string>> encoding_options;
    for (std::size_t i = 0; i < args.size(); ++i) {
      const std::string& arg = args[i];
      if (!arg.starts_with("--")) {
        if (!out.task.empty())
          return Status::invalid("task: \"" + arg + "\" is a second task; expected only one");
        out.task = arg;
        continue;
      }
      const std::string option = arg.substr(2);
      if (option == "help") return out.should_show_help = true, Status{};
      if (option == "resume" || option == "clamp" || option == "half") {
        if (option == "resume") out.should_resume = true;
        if (option == "clamp") out.out_of_range = phasor::OutOfRange::clamp;
        if (option == "half") out.should_save_f16 = true;
        continue;
      }
      if (i + 1 == args.size()) return Status::invalid("--" + option + ": requires a value");
      const std::string& value = args[++i];
      if (option == "encoding") {
        out.encoding.id = value;
      } else if (option.starts_with("encoding.")) {
        encoding_options.emplace_back(option.substr(9), value);
      } else if (option == "seeds") {
        PHASOR_TRY(read_positive_integer(option, value, out.seeds));
      } else if (option == "every") {
        PHASOR_TRY(read_positive_integer(option, value, out.curve_interval));
      } else if (option == "lengths") {
        PHASOR_TRY(read_lengths(value, out.lengths));
      } else if (option == "out") {
        out.out_path = value;
      } else if (option == "corpus") {
        out.corpus_path = value;
      } else if (option == "image") {
        out.image_path = value;
      } else if (option == "checkpoint") {
        out.checkpoint_path = value;
      } else if (option == "weights") {
        out.weights_path = value;
      } else {
        PHASOR_TRY(read_param(phasor::train_config_params(), option, option, value, out.fields));
      }
    }
    if (out.task.empty()) return Status::invalid("task: is missing; expected a task id");
    const phasor::EncodingInfo* encoding_info = phasor::find_encoding(out.encoding.id);
    const auto params =
        encoding_info != nullptr ? encoding_info->params : std::span<const ParamInfo>();
    for (const auto& [name, value] : encoding_options)
      PHASOR_TRY(read_param(params, "encoding." + name, name, value, out.encoding.params));
    return {};
  });
}

std::string format_usage() {
  std::string text =
      "Usage: npm run train -- TASK [--encoding ID] [--encoding.PARAMETER VALUE] [--seeds N]\n"
      "         [--lengths 16,32] [--clamp] [--every STEPS] [--out FILE] [--checkpoint FILE]\n"
      "         [--resume] [--weights FILE] [--half] [--corpus FILE] [--image FILE] [--FIELD "
      "VALUE]\n"
      "\nTasks\n";
  const auto add_line = [&text](std::string_view name, std::string_view summary) {
    text += "  " + std::string(name) + std::string(name.size() < 22 ? 22 - name.size() : 1, ' ');
    (text += summary) += '\n';
  };
  for (const phasor::TaskInfo& task : phasor::tasks()) add_line(task.id, task.summary);
  text += "\nFields\n";
  for (const ParamInfo& field : phasor::train_config_params()) add_line(field.name, field.summary);
  text += "\nOptions\n";
  add_line("seeds", "Number of models, with consecutive seeds");
  add_line("lengths", "Sequence lengths to evaluate");
  add_line("clamp", "Use the last row of a learned table for positions past its end");
  add_line("every", "Training steps between learning-curve points");
  add_line("out", "JSON file for learning curves and scores");
  add_line("checkpoint",
           "Checkpoint file, read with --resume (default: the --out file plus .checkpoint)");
  add_line("weights", "Safetensors file for the last seed's weights, in F16 with --half");
  add_line("corpus", "UTF-8 text file for the text, masked_text and probe tasks");
  add_line("image", "Binary PPM or PGM file for the image task");
  return text;
}

}  // namespace train_program
