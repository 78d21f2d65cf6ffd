// Models of several parts, by the family of their language model where the file does not name it.

#include "hf_config/family.h"

namespace phasor::families::composites {

namespace {

constexpr Family kFamilies[] = {
    {.names = "aimv2", .year = 2026, .text = "aimv2_text_model"},
    {.names = "align", .year = 2026, .text = "align_text_model"},
    {.names = "altclip", .year = 2026, .text = "altclip_text_model"},
    {.names = "apertus1p5", .year = 2026, .text = "apertus1p5_text"},
    {.names = "aria", .year = 2024, .text = "aria_text"},
    {.names = "audioflamingo3, fast_vlm, got_ocr2, internvl, llava_onevision, musicflamingo, "
              "ovis2, pp_chart2table, qwen2_audio, vibevoice, vibevoice_asr, video_llama_3",
     .year = 2024,
     .text = "qwen2"},
    {.names = "aya_vision, cohere2_vision", .year = 2024, .text = "cohere2"},
    {.names = "blip", .year = 2026, .text = "blip_text_model"},
    {.names = "bridgetower", .year = 2026, .text = "bridgetower_text_model"},
    {.names = "chinese_clip", .year = 2026, .text = "chinese_clip_text_model"},
    {.names = "clap", .year = 2026, .text = "clap_text_model"},
    {.names = "cosmos3_edge", .year = 2026, .text = "cosmos3_edge_text"},
    {.names = "cosmos3_omni", .year = 2026, .text = "qwen3_vl_text"},
    {.names = "deepseek_ocr2", .year = 2026, .text = "deepseek_ocr2_text"},
    {.names = "deepseek_vl, deepseek_vl_hybrid, glmasr, idefics3, janus, llava, llava_next, "
              "llava_next_video, omniasr, perception_lm, smolvlm, video_llava, vipllava, voxtral",
     .year = 2025,
     .text = "llama"},
    {.names = "diffusion_gemma", .year = 2026, .text = "diffusion_gemma_text"},
    {.names = "embedding_gemma2", .year = 2026, .text = "embedding_gemma2_text"},
    {.names = "emu3", .year = 2024, .text = "emu3_text_model"},
    {.names = "exaone4_5", .year = 2025, .text = "exaone4"},
    {.names = "flava", .year = 2026, .text = "flava_text_model"},
    {.names = "fun_asr_nano, lighton_ocr, moss_transcribe_diarize, qianfan_ocr, qwen3_asr",
     .year = 2025,
     .text = "qwen3"},
    {.names = "gemma4", .year = 2026, .text = "gemma4_text"},
    {.names = "gemma4_unified, gemma4_unified_assistant",
     .year = 2026,
     .text = "gemma4_unified_text"},
    {.names = "glm46v, glmga", .year = 2025, .text = "glm4v_text"},
    {.names = "glm_image", .year = 2026, .text = "glm_image_text"},
    {.names = "glm_ocr", .year = 2026, .text = "glm_ocr_text"},
    {.names = "granite4_vision", .year = 2026, .text = "granite4_vision_text"},
    {.names = "granite_docling", .year = 2026, .text = "granite_docling_text"},
    {.names = "granite_speech, granite_speech_plus", .year = 2024, .text = "granite"},
    {.names = "groupvit", .year = 2026, .text = "groupvit_text_model"},
    {.names = "hyperclovax_vision_v2", .year = 2025, .text = "hyperclovax"},
    {.names = "idefics2, mistral3", .year = 2023, .text = "mistral"},
    {.names = "jev, minicpm_ocr, minicpmv4_6, minicpmv4_7, qwen3_5",
     .year = 2026,
     .text = "qwen3_5_text"},
    {.names = "kosmos-2", .year = 2026, .text = "kosmos_2_text_model"},
    {.names = "kosmos-2.5", .year = 2026, .text = "kosmos_2_5_text_model"},
    {.names = "lfm2_vl", .year = 2025, .text = "lfm2"},
    {.names = "lfm3_vl", .year = 2026, .text = "lfm3"},
    {.names = "metaclip_2", .year = 2026, .text = "metaclip_2_text_model"},
    {.names = "minimax_m3_vl", .year = 2026, .text = "minimax_m3_vl_text"},
    {.names = "modernvbert", .year = 2024, .text = "modernbert"},
    {.names = "molmo2", .year = 2025, .text = "molmo2_text"},
    {.names = "muse_glimmer", .year = 2026, .text = "muse_glimmer_text"},
    {.names = "muse_spark", .year = 2026, .text = "muse_spark_text"},
    {.names = "nemo_speechlm, nemotron_h_omni", .year = 2025, .text = "nemotron_h"},
    {.names = "owlv2", .year = 2026, .text = "owlv2_text_model"},
    {.names = "owlvit", .year = 2026, .text = "owlvit_text_model"},
    {.names = "paddleocr_vl", .year = 2026, .text = "paddleocr_vl_text"},
    {.names = "paligemma", .year = 2024, .text = "gemma"},
    {.names = "pix2struct", .year = 2026, .text = "pix2struct_text_model"},
    {.names = "qwen2_5_omni_thinker", .year = 2026, .text = "qwen2_5_omni_text"},
    {.names = "qwen3_5_moe", .year = 2026, .text = "qwen3_5_moe_text"},
    {.names = "qwen3_omni_moe_thinker", .year = 2026, .text = "qwen3_omni_moe_text"},
    {.names = "qwen4_exp", .year = 2026, .text = "qwen4_exp_text"},
    {.names = "shieldgemma2", .year = 2025, .text = "gemma3_text"},
    {.names = "siglip", .year = 2026, .text = "siglip_text_model"},
    {.names = "siglip2", .year = 2026, .text = "siglip2_text_model"},
    {.names = "t5gemma2_encoder", .year = 2025, .text = "t5gemma2_text"},
    {.names = "ultravbert", .year = 2026, .text = "ultrabert"},
    {.names = "vision-text-dual-encoder", .year = 2018, .text = "bert"},
    {.names = "voxtral_realtime", .year = 2026, .text = "voxtral_realtime_text"},
    {.names = "xclip", .year = 2026, .text = "xclip_text_model"},
};

}  // namespace

std::span<const Family> all() { return kFamilies; }

}  // namespace phasor::families::composites
