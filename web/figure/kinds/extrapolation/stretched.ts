// RoPE that was trained on short texts and reads longer ones with slower pairs: the encoding at each length.
import type { EncodingConfig } from '../../../engine/types/encodings.ts';

/** The parameters of RoPE that say how pairs are slowed down, beside the factor. */
export type Scaling = Readonly<Record<string, string | number>>;

/** RoPE as it is for a text of so many tokens: the factor is how many times longer than in training the text is. */
export function encodingAt(encoding: EncodingConfig, scaling: Scaling | undefined, length: number, trained: number): EncodingConfig {
  if (!scaling || length <= trained) return encoding;
  return { ...encoding, ...scaling, factor: length / trained, original_length: trained };
}
