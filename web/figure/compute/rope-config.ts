// Parses the config.json in a field, and looks up sizes in it that the core does not return.
import { messageOf } from '../../engine/errors.ts';
import { FieldError } from '../contract/fields.ts';
import { isTooDeep, MAX_DEPTH } from '../files/json.ts';

export type Config = { readonly [key: string]: unknown };

/** Keys of the text model's config, in multimodal models. */
export const TEXT_CONFIG_KEYS = ['thinker_config', 'text_config', 'language_config', 'llm_config'];

/** Error messages for texts that are not a JSON object. */
interface ConfigMessages {
  readonly notObject: string;
  notJson(reason: string): string;
  tooDeep(maxDepth: number): string;
}

/** Parses a text as a JSON object; undefined for an empty text. Throws a FieldError for any other text. */
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

/** The positive integer of a key, preferably from the config of the text model; undefined if there is none. */
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

/** The config keys for the hidden size and the number of heads, by family. */
const SIZE_KEYS = [
  ['hidden_size', 'num_attention_heads'],
  ['n_embd', 'n_head'],
  ['hidden_size', 'n_head'],
  ['d_model', 'n_heads'],
] as const;

/**
 * The number of channels that can be rotated: head_dim, or the separate rotary channels of latent attention. Without head_dim it is hidden_size /
 * heads. Gemma 4 has larger heads in layers with full attention.
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
