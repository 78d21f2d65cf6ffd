// RoPE with lower frequencies, for the evaluation of a trained RoPE model on longer texts.
import type { EncodingConfig } from '../../../engine/types/encodings.ts';

/** The parameters of RoPE's scaling, except the factor. */
export type Scaling = Readonly<Record<string, string | number>>;

/** Returns RoPE for a text of this length. The scaling factor is the ratio of this length to the trained length. */
export function scaleEncoding(encoding: EncodingConfig, scaling: Scaling | undefined, length: number, trained: number): EncodingConfig {
  if (!scaling || length <= trained) return encoding;
  return { ...encoding, ...scaling, factor: length / trained, original_length: trained };
}
