// Rejects tokenizers that @huggingface/tokenizers 0.2.0 accepts, but for which its tokens differ from those of the Rust library.

import { argumentError } from '../engine/errors.ts';
import type { TokenizerJson, TokenizerPart } from './tokenizer-json.ts';

const SUPPORTED_MODELS: readonly string[] = ['BPE', 'WordPiece', 'Unigram'];

const rejectFeature = (feature: string, alternative: string): never => {
  throw argumentError('tokenizer', `${feature} is not supported; expected ${alternative}, or token ids`);
};

/** Lists a part of tokenizer.json and, recursively, the parts nested in it. */
const listParts = (part: unknown): readonly TokenizerPart[] => {
  if (typeof part !== 'object' || part === null) return [];
  const nestedParts = ['normalizers', 'pretokenizers', 'processors', 'decoders'].flatMap((key) => (part as TokenizerPart)[key] ?? []);
  return [part as TokenizerPart, ...nestedParts.flatMap(listParts)];
};

const readRegex = ({ pattern }: TokenizerPart): string => String((pattern as { readonly Regex?: unknown } | undefined)?.Regex ?? '');

function checkSplit(part: TokenizerPart): void {
  const behavior = String(part.behavior ?? 'Isolated').toLowerCase();
  if (behavior !== 'isolated' && behavior !== 'removed')
    rejectFeature(`a Split with behavior ${part.behavior}`, 'a tokenizer.json whose splits are Isolated or Removed');
  if (part.invert && behavior !== 'removed') rejectFeature('an inverted Split that is not Removed', 'a tokenizer.json without this Split');
  if (/\\G/.test(readRegex(part))) rejectFeature('the anchor \\G of a Split', 'a tokenizer.json without this anchor');
}

/** Throws a PhasorError that names the first feature for which tokens would differ from those of the Rust library. */
export function checkSupported(json: TokenizerJson): void {
  for (const part of [json.normalizer, json.pre_tokenizer].flatMap(listParts)) if (part.type === 'Split') checkSplit(part);
  const { model } = json;
  if (model.type !== undefined && !SUPPORTED_MODELS.includes(model.type))
    rejectFeature(`the model ${model.type}`, `one of ${SUPPORTED_MODELS.join(', ')}`);
  if (model.dropout) rejectFeature('BPE dropout', 'a tokenizer.json without dropout');
  if (model.type === 'BPE' && model.fuse_unk && !model.byte_fallback && model.unk_token)
    rejectFeature('one unknown token for several characters (fuse_unk)', 'a tokenizer.json without fuse_unk, or with byte_fallback');
}
