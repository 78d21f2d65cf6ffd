// RoPE with lower frequencies, for the evaluation of a trained RoPE model on longer texts.
import type { EncodingConfig } from '../../../engine/types/encodings.ts';

/** RoPE's scaling parameters, except the factor. */
export type Scaling = Readonly<Record<string, string | number>>;

/** Returns RoPE scaled by `length / trainedLength`, or unchanged if the text is not longer than the training texts. */
export function scaleEncoding(
  encoding: EncodingConfig,
  scaling: Scaling | undefined,
  length: number,
  trainedLength: number,
): EncodingConfig {
  if (!scaling || length <= trainedLength) return encoding;
  return { ...encoding, ...scaling, factor: length / trainedLength, original_length: trainedLength };
}
