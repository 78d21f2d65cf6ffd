// The supported subset of a checkpoint's tokenizer.json. The format is defined by the Rust library tokenizers.

/** A component of the tokenizer. `type` is a name such as 'BPE' or 'ByteLevel'. */
export interface TokenizerPart {
  readonly type?: string;
  readonly [field: string]: unknown;
}

export interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly special: boolean;
  readonly normalized: boolean;
  readonly lstrip: boolean;
  readonly rstrip: boolean;
  readonly single_word: boolean;
}

export interface TokenizerJson {
  readonly added_tokens: readonly AddedToken[];
  readonly normalizer: TokenizerPart | null;
  readonly pre_tokenizer: TokenizerPart | null;
  readonly post_processor: TokenizerPart | null;
  readonly decoder: TokenizerPart | null;
  readonly model: TokenizerPart & { readonly vocab: unknown };
}

/** Creates a token that is matched before the text is split. */
export const createAddedToken = (id: number, content: string, special: boolean): AddedToken => ({
  id,
  content,
  special,
  normalized: false,
  lstrip: false,
  rstrip: false,
  single_word: false,
});

export const toSequence = (key: 'normalizers' | 'pretokenizers' | 'decoders', parts: readonly TokenizerPart[]): TokenizerPart | null =>
  parts.length > 1 ? { type: 'Sequence', [key]: parts } : (parts[0] ?? null);

/**
 * Creates the post-processor that adds special tokens before and after the text.
 * @param ids the ids of the added tokens
 */
export const createTemplateProcessor = (
  tokensBefore: readonly string[],
  tokensAfter: readonly string[],
  ids: { readonly [token: string]: number },
): TokenizerPart => {
  const toSpecialToken = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const templateItems = [...tokensBefore.map(toSpecialToken), { Sequence: { id: 'A', type_id: 0 } }, ...tokensAfter.map(toSpecialToken)];
  return {
    type: 'TemplateProcessing',
    single: templateItems,
    pair: [...templateItems, { Sequence: { id: 'B', type_id: 1 } }, ...tokensAfter.map((id) => ({ SpecialToken: { id, type_id: 1 } }))],
    special_tokens: Object.fromEntries(Object.entries(ids).map(([id, number]) => [id, { id, ids: [number], tokens: [id] }])),
  };
};
