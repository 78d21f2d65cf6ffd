import { argumentError, PhasorError } from '../errors.ts';
import { invalidValueError } from '../request/invalid-value.ts';
import { isNumberArray } from '../request/plain.ts';
import type { Tokenizer } from '../types/api.ts';

/** Same limit as in the core. */
export const MAX_TOKENS = 1_048_576;

const isIdList = (value: unknown): value is ArrayLike<number> => Array.isArray(value) || isNumberArray(value);

/** Rejects an object that lacks the functions `encode` and `decode`. */
export function checkTokenizer(tokenizer: unknown): void {
  if (tokenizer === undefined || tokenizer === null) return;
  for (const name of ['encode', 'decode'] as const) {
    if (typeof tokenizer !== 'object' || typeof (tokenizer as Partial<Tokenizer>)[name] !== 'function')
      throw invalidValueError('tokenizer', tokenizer, `has no ${name}; expected an object with encode(text) and decode(ids)`);
  }
}

/** Calls a function of the caller's tokenizer. If it throws, the error names the function. */
async function callTokenizer<T>(name: string, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw argumentError('tokenizer', `${name} failed (${PhasorError.from(thrown).message})`);
  }
}

export async function readTokenIds(input: unknown, tokenizer: Tokenizer | undefined): Promise<readonly number[]> {
  if (isIdList(input)) return Array.from(input);
  if (typeof input !== 'string') throw invalidValueError('inputIds', input, 'is neither a list of token ids nor a string');
  if (!tokenizer) throw invalidValueError('inputIds', input, 'is a string, but the model has no tokenizer; expected token ids');
  const encodeResult: unknown = await callTokenizer('encode', () => tokenizer.encode(input));
  const ids = isIdList(encodeResult) ? encodeResult : (encodeResult as { ids?: unknown } | null | undefined)?.ids;
  if (!isIdList(ids)) throw invalidValueError('tokenizer', encodeResult, 'was returned by encode; expected token ids or an object { ids }');
  return Array.from(ids, Number);
}

export async function decodeTokenIds(ids: readonly number[], tokenizer: Tokenizer): Promise<string> {
  const text: unknown = await callTokenizer('decode', () => tokenizer.decode([...ids]));
  if (typeof text !== 'string') throw invalidValueError('tokenizer', text, 'was returned by decode; expected a string');
  return text;
}
