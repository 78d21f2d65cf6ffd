// The sentence and the fix for each fault. Names in braces are replaced by parameter values.

export const FAULTS: { readonly [id: string]: readonly [sentence: string, fix: string] } = {
  wrong_pairing: [
    'The dump has {found} pairs; claimed: {claimed}.',
    'half_split: vLLM is_neox_style=True, MLX traditional=False, ggml GGML_ROPE_TYPE_NEOX. interleaved: is_neox_style=False, traditional=True, GGML_ROPE_TYPE_NORMAL.',
  ],
  channels_permuted: [
    'The values are the same, but the channels of each head are in {to} order.',
    'Permute the rows of both q and k, or of neither; for k use the number of key heads. If both are permuted in the same way, the scores are the same and nothing is wrong.',
  ],
  output_reordered: [
    'Pairs are read as {claimed} and written as {found}.',
    'Restore the channel order of the result, or reorder q and k in the same way, which does not change the scores.',
  ],
  reversed_direction: [
    'Every pair rotates backwards: the sine has the opposite sign.',
    'Rotate (x, y) to (x cos - y sin, y cos + x sin), unless the model was trained with the opposite sign. If the dumps before and after the rotation were swapped, exchange them.',
  ],
  wrong_base: [
    'Frequencies follow base {found}; claimed: {claimed}.',
    'Read rope_theta (transformers 5: in rope_parameters; GGUF: rope.freq_base).',
  ],
  other_layer_type: [
    'This layer rotates with base {base}, the base of the other layer type in the config.',
    'Select both base and scaling by layer_types[layer].',
  ],
  scaling_missing: [
    'Frequencies are computed without the scaling {scaling} (factor {factor}).',
    'Apply rope_scaling / rope_parameters to the frequencies.',
  ],
  scaling_unclaimed: [
    'All frequencies are divided by {factor}; the claim has no scaling for this layer.',
    'Scale only the layers that the config scales.',
  ],
  scaling_inverted: ['Positions are multiplied by {factor} instead of divided.', 'Set freq_scale = 1 / factor.'],
  scaling_twice: ['The factor {factor} is applied twice.', 'Scale frequencies or positions, not both.'],
  attention_factor_missing: [
    'Cosine and sine are not multiplied by the attention factor {claimed}.',
    'Multiply both by the attention factor, for q and for k.',
  ],
  attention_factor_twice: [
    'The attention factor is {found}, the square of {claimed}.',
    'Use the attention_factor of the config unchanged; do not multiply it by 0.1 ln s + 1.',
  ],
  wrong_attention_factor: [
    'Cosine and sine are multiplied by {found}; claimed: {claimed}.',
    'An explicit attention_factor replaces the formula. With mscale and mscale_all_dim, divide the factor for mscale by that for mscale_all_dim.',
  ],
  scaled: [
    'The values of the port are {factor} times those of the reference.',
    'q is already multiplied by the attention scale: do not apply it again.',
  ],
  rotated_twice: [
    'Every angle is twice the claimed one.',
    'Rotate in the caller or in the kernel, not in both; do not rotate cached keys again.',
  ],
  wrong_rotary_width: [
    '{found} channels are rotated; claimed: {claimed}.',
    'Pass rotary_dim = head_dim * partial_rotary_factor; GGUF: rope.dimension_count.',
  ],
  exponent_by_head_width: [
    'Exponents are divided by the head dimension {found}, not by the rotary dimension {claimed}.',
    'inv_freq = base^(-2i / rotary_dim).',
  ],
  pairs_across_head: [
    'Channel i is paired with i + {span}/2, across the whole head.',
    'Slice out the rotary part first, then rotate its halves. Gemma 4 (proportional) pairs channels across the head.',
  ],
  wrong_rotary_slice: [
    'The rotated channels start at {found}; claimed: {claimed}.',
    'In latent attention the rotary part is last, but in the indexer of DeepSeek V3.2 it is first.',
  ],
  rotated_along_heads: [
    'The head index is used as the position, or `axes` has the wrong order.',
    'Transpose before the rotation, or pass the token axis.',
  ],
  position_plus_head: ['Head h is rotated by position + h.', 'Pass [batch, heads, tokens, dim] to the kernel.'],
  position_offset: [
    'All positions are off by {offset}.',
    'If q and k are shifted equally, the scores do not change. Otherwise count the cached tokens before the cache is updated.',
  ],
  padding_counted: ['Positions include the {offset} padding tokens.', 'Set position_ids = cumsum(mask) - 1, per row.'],
  cache_ignored: ['Positions count from 0 although {past} tokens are cached.', 'Set positions = past + arange(n).'],
  positions_restart: ['Positions restart at token {at}.', 'Carry the offset across chunks and conversation turns.'],
  positions_constant: ['All tokens have position {position}.', 'Add arange(n) for the n tokens of the call.'],
  positions_stuck: [
    'From token {at} on, the position stays {position}.',
    'Do not clamp positions; the cached table needs offset + length rows.',
  ],
  positions_jump: ['From token {at} on, positions are off by {by}.', 'Count all earlier tokens, not only those in the cache.'],
  positions_not_reset: [
    'Positions are not reset at token {at}, where another text begins.',
    'Restart position ids at each text, and mask attention between texts.',
  ],
  low_precision_positions: [
    'Positions are rounded to {format}.',
    'Compute positions, frequencies and angles in float32; cast only cosine and sine.',
  ],
  low_precision_angles: [
    'The values of {where} are rounded to {format} before cosine and sine are computed.',
    'Compute positions, frequencies and angles in float32; cast only cosine and sine.',
  ],
  yarn_ramp_rounded: [
    "The ends of YaRN's ramp are rounded to whole pairs: {truncate}; claimed: {claimed}.",
    'truncate is true unless the config sets it to false (gpt-oss).',
  ],
  wrong_original_length: [
    'The original length is {found}; claimed: {claimed}.',
    'Use original_max_position_embeddings, not max_position_embeddings.',
  ],
  wrong_scaling_factor: ['The factor is {found}; claimed: {claimed}.', 'Read the factor from the config of the same model.'],
  longrope_factors_swapped: [
    "LongRoPE's {found} factors are used; a text of this length requires the other factors.",
    'Choose the factors by comparing the largest position + 1 with the original length.',
  ],
  dynamic_ntk_length: [
    'The base corresponds to a text length of {found} tokens; claimed: {claimed}.',
    'Use the original base up to the original length; cached keys keep the base with which they were rotated.',
  ],
  rotated_without_claim: [
    'This layer rotates (base {base}); claimed: no rotation.',
    'Skip layers with 0 in no_rope_layers; 1 means rotated.',
  ],
  not_rotated: ['Nothing was rotated.', 'Place the second hook after the rotation, and check whether this layer rotates q and k.'],
  wrong_sections: [
    'The arrangement of axes over pairs is {found}; claimed: {claimed}.',
    'Read mrope_interleaved from the config; mrope_section counts pairs, not channels.',
  ],
  wrong_grid_convention: [
    'The two-dimensional rotation follows the {found} convention; claimed: {claimed}.',
    'Vision towers differ in their pairs, axis order and first position: follow the convention of the model.',
  ],
  axes_swapped: ['Rows and columns are swapped.', 'Pixtral: rows first; Llama 4: columns first.'],
  axes_ignored: ['Image tokens are numbered consecutively.', 'Pass position ids [3, tokens] with the image embeddings.'],
  text_after_image_by_count: [
    'Position ids after the image continue from its number of patches.',
    'An image takes max(rows, columns) positions.',
  ],
  alibi_slopes: [
    'The slopes of the bias differ from the claimed ones ({found}).',
    'Use the slopes for the largest power of two below the number of heads, then every other slope for twice that power.',
  ],
  alibi_sign: ['The bias rewards distance instead of penalising it.', 'Add slope * (key - query).'],
  alibi_row_shifted: [
    'The bias depends only on the key; with a causal mask, the softmax is unchanged.',
    'With a causal mask, no fix is needed.',
  ],
  bias_missing: ['The bias ({bias}) is not added.', 'Add the bias in decoding steps too.'],
  t5_bidirectional: ['Buckets are bidirectional: {found}; claimed: {claimed}.', 'Set bidirectional in the encoder only.'],
  t5_direction: ['Distances are query minus key.', 'Use key minus query.'],
  t5_max_distance: [
    'The maximum bucket distance is {found}; claimed: {claimed}.',
    'Read relative_attention_max_distance; larger distances fall into the last bucket.',
  ],
  scale_missing: ['q.k is not scaled.', 'Multiply by the scale from the config.'],
  scale_twice: ['The scale {claimed} is applied twice.', 'Pass scale 1 to the kernel if q is already scaled.'],
  wrong_scale: [
    'The scale is {found}; claimed: {claimed}.',
    "Depending on the family, use query_pre_attn_scalar, attention_multiplier or YaRN's mscale^2.",
  ],
  window_off_by_one: ['The window has {found} keys; claimed: {claimed}.', "Pass window - 1 as FlashAttention's left window."],
  mask_aligned_top_left: [
    'The mask is aligned with the first key, not the last.',
    'Offset the rows of the mask by the length of the cache.',
  ],
  packed_texts_mixed: [
    'Text {segment} attends to another text in the same row.',
    'Resetting position ids is not enough: also mask attention between texts.',
  ],
  sinks_unclaimed: [
    'The weights sum to less than 1, which corresponds to sinks of {found}, but no sinks are provided.',
    'Provide the sinks of the layer, or divide only by the sum of the exponentials.',
  ],
  wrong_sinks: [
    'The weights correspond to sinks of {found}, which differ from those provided.',
    'Provide one logit per head, in query-head order, neither scaled nor masked.',
  ],
  sinks_missing: ['The sinks are not included in the softmax.', 'Add exp(sink) to the denominator, per head.'],
  bias_scaled: ['The bias is multiplied by {by}, because it is added before scaling.', 'Add the bias after scaling.'],
  wrong_table_layout: [
    'The table repeats its columns for {found} pairs; claimed: {claimed}.',
    'Use cat(freqs, freqs) for half_split, repeat_interleave(freqs, 2) for interleaved.',
  ],
  cos_sin_swapped: ['Cosine and sine are swapped.', 'Return cos, sin in the order that the caller unpacks.'],
  softcap_missing: ['Scores reach {max}: the cap of {claimed} is not applied.', 'Apply cap * tanh(score / cap) before the mask.'],
  wrong_softcap: [
    'Scores are capped at {found}; claimed: {claimed}.',
    'Read the cap of this layer from the config: attention and final logits have separate caps.',
  ],
  window_missing: ['The window of {claimed} keys is not applied.', 'Pass the window of this layer; layer types alternate.'],
  wrong_window: ['The window has {found} keys; claimed: {claimed}.', 'Read the window of this layer from the config.'],
  causal_shifted: ['The causal mask is off by {by}.', 'A query attends to keys up to and including its own position.'],
  causal_missing: ['Queries attend to later keys.', 'Pass the causal mask.'],
  wrong_scaling: ['The scaling is {found}; claimed: {claimed}.', 'Use the scaling type from the config.'],
};
