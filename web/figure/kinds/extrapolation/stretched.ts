// RoPE trained on short texts and evaluated on longer ones with slower pairs: the encoding at each length.
import type { EncodingConfig } from '../../../engine/types/encodings.ts';

/** The parameters of RoPE's scaling, except the factor. */
export type Scaling = Readonly<Record<string, string | number>>;

/** RoPE for a text of this length: the factor is its ratio to the trained length. */
export function encodingAt(encoding: EncodingConfig, scaling: Scaling | undefined, length: number, trained: number): EncodingConfig {
  if (!scaling || length <= trained) return encoding;
  return { ...encoding, ...scaling, factor: length / trained, original_length: trained };
}
