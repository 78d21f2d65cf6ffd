// Special tokens of a vocabulary: those recognized in text, and those added before and after it.

import { type AddedToken, createAddedToken, createTemplateProcessor, type TokenizerPart } from '../tokenizer-json.ts';
import { type GgufVocabulary, TOKEN_TYPES } from './vocabulary.ts';

/**
 * Lists the control, unknown and user-defined tokens of a vocabulary.
 * @param getText returns the text that a user-defined token matches
 */
export const listAddedTokens = ({ tokens, getType }: GgufVocabulary, getText: (token: string) => string): readonly AddedToken[] =>
  tokens.flatMap((token, id) => {
    const type = getType(id);
    if (type === TOKEN_TYPES.control || type === TOKEN_TYPES.unknown) return [createAddedToken(id, token, true)];
    return type === TOKEN_TYPES.userDefined ? [createAddedToken(id, getText(token), false)] : [];
  });

/**
 * Creates the post-processor that adds beginning-of-sequence and end-of-sequence tokens. Returns null if neither is added.
 * @param defaults whether each token is added if the file does not specify it
 */
export function createPostProcessor(
  vocabulary: GgufVocabulary,
  defaults: { readonly bos: boolean; readonly eos: boolean },
): TokenizerPart | null {
  const addedSpecials = (['bos', 'eos'] as const).flatMap((name) => {
    const id = vocabulary.findTokenId(name);
    const isAdded = vocabulary.getValue(`add_${name}_token`) ?? defaults[name];
    return isAdded && id !== undefined ? [{ name, id, token: vocabulary.tokens[id] as string }] : [];
  });
  if (addedSpecials.length === 0) return null;
  const findTokens = (tokenName: string) => addedSpecials.filter(({ name }) => name === tokenName).map(({ token }) => token);
  return createTemplateProcessor(
    findTokens('bos'),
    findTokens('eos'),
    Object.fromEntries(addedSpecials.map(({ token, id }) => [token, id])),
  );
}
