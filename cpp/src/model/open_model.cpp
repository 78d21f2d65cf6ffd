#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/format_error.h"
#include "phasor/model.h"

namespace phasor {

namespace {

namespace fs = std::filesystem;

Status read_text(const fs::path& path, std::string& out) {
  std::ifstream stream(path, std::ios::binary);
  out.assign(std::istreambuf_iterator<char>(stream), {});
  if (stream.good() || stream.eof()) return {};
  return invalid("path: {} cannot be read", detail(path.string()));
}

// Lists model.safetensors or, if it does not exist, the files in model.safetensors.index.json.
Status list_files(const fs::path& folder, std::vector<fs::path>& out) {
  std::error_code error;
  if (fs::exists(folder / "model.safetensors", error)) {
    out.push_back(folder / "model.safetensors");
    return {};
  }
  const fs::path index = folder / "model.safetensors.index.json";
  if (!fs::exists(index, error)) {
    return invalid(
        "path: {} has neither model.safetensors nor model.safetensors.index.json; convert other "
        "formats with save_pretrained(safe_serialization=True)",
        detail(folder.string()));
  }
  std::string index_json;
  PHASOR_TRY(read_text(index, index_json));
  PHASOR_TRY_ASSIGN(const Params entries, config_from_json(index_json));
  std::vector<std::string> file_names;
  for (const auto& [key, value] : entries) {
    const auto* name = std::get_if<std::string>(&value);
    if (name == nullptr || !key.starts_with("weight_map.")) continue;
    if (fs::path(*name).filename() != *name)
      return invalid("path: the index names {}, which is not a file in the folder", detail(*name));
    file_names.push_back(*name);
  }
  std::sort(file_names.begin(), file_names.end());
  file_names.erase(std::unique(file_names.begin(), file_names.end()), file_names.end());
  for (const std::string& name : file_names) out.push_back(folder / name);
  return {};
}

Result<std::unique_ptr<ModelLoader>> create_loader(const fs::path& path,
                                                   std::vector<fs::path>& paths) {
  std::error_code error;
  const auto get_file_info = [&](const fs::path& file, CheckpointFile& out) -> Status {
    out = {file.filename().string(), fs::file_size(file, error)};
    return error ? invalid("path: {} cannot be read", detail(file.string())) : Status();
  };
  if (fs::is_regular_file(path, error)) {
    CheckpointFile file;
    PHASOR_TRY(get_file_info(path, file));
    paths.push_back(path);
    return ModelLoader::create_gguf(std::move(file));
  }
  std::string config_text;
  PHASOR_TRY(read_text(path / "config.json", config_text));
  PHASOR_TRY_ASSIGN(const Params config, config_from_json(config_text));
  PHASOR_TRY(list_files(path, paths));
  std::vector<CheckpointFile> files(paths.size());
  for (std::size_t n = 0; n < paths.size(); ++n) PHASOR_TRY(get_file_info(paths[n], files[n]));
  return ModelLoader::create(config, std::move(files));
}

}  // namespace

Result<std::unique_ptr<Model>> open_model(const std::string& path) {
  std::vector<fs::path> paths;
  PHASOR_TRY_ASSIGN(const std::unique_ptr<ModelLoader> loader, create_loader(path, paths));
  std::vector<std::ifstream> streams;
  for (const fs::path& file : paths) streams.emplace_back(file, std::ios::binary);
  std::vector<std::uint8_t> bytes;
  while (const std::optional<ByteRange> range = loader->next_range()) {
    std::ifstream& stream = streams[static_cast<std::size_t>(range->file)];
    bytes.resize(static_cast<std::size_t>(range->size));
    stream.seekg(static_cast<std::streamoff>(range->begin));
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(range->size));
    if (!stream) {
      return invalid("path: {} cannot be read, or changed while being read",
                     detail(paths[static_cast<std::size_t>(range->file)].string()));
    }
    PHASOR_TRY(loader->add_bytes(bytes));
  }
  return loader->finish();
}

}  // namespace phasor
