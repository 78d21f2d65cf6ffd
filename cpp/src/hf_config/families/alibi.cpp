// ALiBi.

#include "hf_config/family.h"
#include "hf_config/family_readers.h"
#include "hf_config/layer_heads.h"

namespace phasor::families::alibi {

namespace {

constexpr Family kFamilies[] = {
    {.names = "bloom",
     .year = 2022,
     .source_version = TransformersVersion::v4,
     .read_positions = read_bloom,
     .position_id_mode = PositionIdMode::bloom,
     .uses_alibi = true},
    {.names = "falcon",
     .year = 2023,
     .source_version = TransformersVersion::v4,
     .rotary_condition = {"alibi", nullptr, true, true},
     .read_kv_heads = read_falcon_kv_heads,
     .read_positions = read_falcon,
     .position_id_mode = PositionIdMode::bloom,
     .uses_alibi = true},
    {.names = "mpt",
     .year = 2023,
     .source_version = TransformersVersion::v4_v5,
     .read_positions = read_mpt,
     .length = {"max_seq_len", 2048},
     .uses_alibi = true},
};

}  // namespace

std::span<const Family> list_families() { return kFamilies; }

}  // namespace phasor::families::alibi
