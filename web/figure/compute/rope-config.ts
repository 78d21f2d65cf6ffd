// Parses config.json, and finds sizes that the core does not return.
import { messageOf } from '../../engine/errors.ts';
import { FieldError } from '../contract/fields.ts';
import { isTooDeep, MAX_DEPTH } from '../files/json.ts';

export type Config = { readonly [key: string]: unknown };

/** Keys under which multimodal models store the config of their text model. */
export const TEXT_CONFIG_KEYS = ['thinker_config', 'text_config', 'language_config', 'llm_config'];

interface ConfigMessages {
  readonly notObject: string;
  notJson(reason: string): string;
  tooDeep(maxDepth: number): string;
}

/** Parses a JSON object. Returns undefined for empty text, and throws a FieldError for anything else that is not a JSON object. */
export function parseConfig(text: string, messages: ConfigMessages): Config | undefined {
  if (text.trim() === '') return undefined;
  if (isTooDeep(text)) throw new FieldError(messages.tooDeep(MAX_DEPTH));
  let parsedJson: unknown;
  try {
    parsedJson = JSON.parse(text);
  } catch (thrown) {
    throw new FieldError(messages.notJson(messageOf(thrown)));
  }
  if (typeof parsedJson !== 'object' || parsedJson === null || Array.isArray(parsedJson)) throw new FieldError(messages.notObject);
  return parsedJson as Config;
}

/**
 * Returns the positive integer under a key, or undefined if there is none. In the config of a multimodal model, the nested text config is
 * searched first.
 */
export function readPositiveInteger(config: Config, key: string): number | undefined {
  for (const name of TEXT_CONFIG_KEYS) {
    const nestedConfig = config[name];
    if (typeof nestedConfig !== 'object' || nestedConfig === null) continue;
    const value = readPositiveInteger(nestedConfig as Config, key);
    if (value !== undefined) return value;
  }
  const value = config[key];
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

/** Keys of the hidden size and the number of heads, which vary between model families. */
const SIZE_KEYS = [
  ['hidden_size', 'num_attention_heads'],
  ['n_embd', 'n_head'],
  ['hidden_size', 'n_head'],
  ['d_model', 'n_heads'],
] as const;

/**
 * Returns the number of channels that can be rotated: the head size or, with latent attention, the number of separate rotary channels. If
 * the config does not specify the head size, it is the hidden size divided by the number of heads. In Gemma 4, layers with full attention
 * have larger heads.
 */
export function findHeadWidth(config: Config, layerType?: string): { readonly key: string; readonly width: number } | undefined {
  const layerKeys = layerType === 'full_attention' ? ['global_head_dim'] : [];
  for (const key of [...layerKeys, 'qk_rope_head_dim', 'head_dim', 'd_kv']) {
    const width = readPositiveInteger(config, key);
    if (width !== undefined) return { key, width };
  }
  for (const [hiddenKey, headsKey] of SIZE_KEYS) {
    const [hiddenSize, headCount] = [readPositiveInteger(config, hiddenKey), readPositiveInteger(config, headsKey)];
    if (hiddenSize !== undefined && headCount !== undefined && hiddenSize % headCount === 0)
      return { key: `${hiddenKey} / ${headsKey}`, width: hiddenSize / headCount };
  }
  return undefined;
}
