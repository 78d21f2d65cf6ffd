// Tokenizers against recorded ids of SentencePiece and of the Rust library tokenizers (tests/golden-tokenizers).

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenizerFromGguf } from '../../web/tokenizer/gguf/gguf-tokenizer.ts';
import { splitPieces } from '../../web/tokenizer/pieces.ts';
import { createTokenizer } from '../../web/tokenizer/tokenizer.ts';

interface GgufCase {
  readonly name: string;
  readonly metadata: { readonly [key: string]: unknown };
  readonly ids: readonly (readonly number[])[];
}
interface JsonCase {
  readonly name: string;
  readonly json: { readonly model: object; readonly [part: string]: unknown };
  readonly ids: readonly (readonly number[])[];
  readonly decoded: readonly string[];
}
const {
  texts,
  gguf,
  json: [bert],
} = JSON.parse(readFileSync('tests/golden-tokenizers/cases.json', 'utf8')) as {
  readonly texts: readonly string[];
  readonly gguf: readonly GgufCase[];
  readonly json: readonly [JsonCase];
};
const fromGguf = (metadata: { readonly [key: string]: unknown }) => createTokenizer(tokenizerFromGguf(new Map(Object.entries(metadata))));
const [llama] = gguf as readonly [GgufCase];
const withKey = (key: string, value: unknown) => () => fromGguf({ ...llama.metadata, [`tokenizer.ggml.${key}`]: value });

describe.each(gguf)('GGUF vocabulary $name', ({ metadata, ids }) => {
  const tokenizer = fromGguf(metadata);
  it.each(texts.map((text, index) => ({ text, expected: ids[index] })))('encodes $text', ({ text, expected }) => {
    expect(tokenizer.encode(text)).toEqual(expected);
  });
});

describe('tokenizer.json', () => {
  const tokenizer = createTokenizer(bert.json);
  it('encodes texts like the library tokenizers', () => {
    for (const [at, text] of texts.entries()) expect(tokenizer.encode(text)).toEqual(bert.ids[at]);
  });

  it('identifies special tokens and returns token strings', () => {
    const [first = -1] = tokenizer.encode('a');
    expect([tokenizer.isSpecial(first), tokenizer.getToken(first)]).toEqual([true, '[CLS]']);
    expect(tokenizer.isSpecial(tokenizer.encode('a')[1] as number)).toBe(false);
  });

  it.each([
    ['a file without a model', { vocab: {} }, /^tokenizer: the file has no "model"; expected the contents of a tokenizer.json$/],
    ['null', null, /^tokenizer: the file has no "model"/],
    [
      'an unsupported model',
      { ...bert.json, model: { type: 'Morfessor', vocab: {} } },
      /^tokenizer: the model Morfessor is not supported; expected one of BPE, WordPiece, Unigram, or token ids$/,
    ],
    ['dropout', { ...bert.json, model: { ...bert.json.model, dropout: 0.1 } }, /^tokenizer: BPE dropout/],
    [
      'an unsupported split behavior',
      {
        ...bert.json,
        pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'Split', pattern: { String: ' ' }, behavior: 'MergedWithNext' }] },
      },
      /^tokenizer: a Split with behavior MergedWithNext is not supported; expected/,
    ],
    [
      'an unsupported anchor',
      { ...bert.json, pre_tokenizer: { type: 'Split', pattern: { Regex: '\\G.' }, behavior: 'Isolated' } },
      /^tokenizer: the anchor \\G/,
    ],
  ])('is rejected: %s', (_, file, message) => {
    expect(() => createTokenizer(file)).toThrow(message);
  });

  it('rejects ids outside the vocabulary', () => {
    expect(() => tokenizer.decode([tokenizer.vocabularySize])).toThrow(
      `ids: no token has id ${tokenizer.vocabularySize}; expected an id from 0 to ${tokenizer.vocabularySize - 1}`,
    );
    expect(tokenizer.decode([])).toBe('');
  });
});

describe('invalid GGUF vocabulary', () => {
  it.each([
    ['an unknown model', withKey('model', 'rwkv'), /^tokenizer: tokenizer.ggml.model: "rwkv" is unknown; expected llama, gpt2, bert, t5/],
    ['a property name of Object', withKey('model', 'constructor'), /"constructor" is unknown/],
    ['no model', withKey('model', undefined), /^tokenizer: the GGUF file has no tokenizer.ggml.model/],
    ['no tokens', withKey('tokens', undefined), /^tokenizer: the GGUF file has no tokenizer.ggml.tokens; expected a list$/],
    ['no scores', withKey('scores', undefined), /has no tokenizer.ggml.scores/],
    [
      'too few token types',
      withKey('token_type', [1, 1]),
      /^tokenizer: tokenizer.ggml.token_type has 2 entries for 600 tokens; expected one per token$/,
    ],
    [
      'a special token outside the vocabulary',
      withKey('bos_token_id', 600),
      /^tokenizer: tokenizer.ggml.bos_token_id: 600 is not a token id; expected 0 to 599$/,
    ],
  ])('is rejected: %s', (_, create, message) => expect(create).toThrow(message));

  it('is rejected: an unknown pre-tokenizer', () => {
    const smollm = gguf.find(({ name }) => name === 'smollm') as GgufCase;
    expect(() => fromGguf({ ...smollm.metadata, 'tokenizer.ggml.pre': 'tekken' })).toThrow(
      /tokenizer.ggml.pre: "tekken" is unknown; expected gpt-2/,
    );
  });
});

describe('splitPieces', () => {
  const tokenizers = gguf.map(({ metadata }) => fromGguf(metadata));
  it('returns pieces that join to the decoded text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...texts)),
        fc.nat(tokenizers.length - 1),
        (text, tokenizerIndex) => {
          const tokenizer = tokenizers[tokenizerIndex] as (typeof tokenizers)[number];
          const ids = tokenizer.encode(text);
          const pieces = splitPieces(ids, tokenizer);
          expect(pieces.map(({ id }) => id)).toEqual(ids);
          const joinedPieces = pieces
            .filter(({ partIndex }, index) => partIndex !== pieces[index - 1]?.partIndex)
            .map((piece) => piece.text);
          expect(joinedPieces.join('')).toBe(tokenizer.decode(ids));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('assigns the tokens of a multi-byte character to one part', () => {
    const tokenizer = fromGguf((gguf.find(({ name }) => name === 'gpt-2') as GgufCase).metadata);
    const pieces = splitPieces(tokenizer.encode('a🙂b'), tokenizer);
    expect(pieces.map(({ text }) => text)).toEqual(['a', '🙂', '🙂', '🙂', '🙂', 'b']);
    expect(pieces.map(({ partIndex }) => partIndex)).toEqual([0, 1, 1, 1, 1, 2]);
  });
});
