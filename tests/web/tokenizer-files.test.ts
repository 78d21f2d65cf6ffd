// Tokenizers from files: tokenizer.json, and a GGUF file whose metadata has the byte ranges of its lists.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openTokenizer } from '../../web/tokenizer/async-tokenizer.ts';
import { createTokenizer } from '../../web/tokenizer/tokenizer.ts';

const { texts, gguf } = JSON.parse(readFileSync('tests/golden-tokenizers/cases.json', 'utf8')) as {
  readonly texts: readonly string[];
  readonly gguf: readonly { readonly name: string; readonly metadata: object; readonly ids: readonly (readonly number[])[] }[];
};

/** A file with the lists of the metadata in GGUF's types string (8), float32 (6) and int32 (5), and the metadata with their byte ranges. */
function ggufFile(metadata: object) {
  const chunks: Buffer[] = [];
  let offset = 0;
  const texted = (text: string): Buffer => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const raw = Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      const isText = typeof value[0] === 'string';
      const isWhole = value.every(Number.isInteger);
      const bytes = isText
        ? Buffer.concat(value.map(texted))
        : Buffer.from((isWhole ? Int32Array.from(value) : Float32Array.from(value as number[])).buffer);
      chunks.push(bytes);
      offset += bytes.length;
      return [name, { type: isText ? 8 : isWhole ? 5 : 6, count: value.length, begin: offset - bytes.length, end: offset }];
    }),
  );
  return { gguf: new File([Buffer.concat(chunks)], 'any.gguf'), metadata: raw };
}

describe.each(gguf)('GGUF file $name', ({ metadata, ids }) => {
  it('tokenizes texts into the recorded ids', async () => {
    const tokenizer = await openTokenizer(ggufFile(metadata));
    for (const [at, text] of texts.entries()) {
      const tokens = await tokenizer.tokenize(text);
      expect(tokens.ids).toEqual(ids[at]);
      expect(tokens.pieces.map(({ id }) => id)).toEqual(ids[at]);
    }
  });
});

it('a vocabulary may have more tokens than a function call may have arguments', () => {
  const vocab = Object.fromEntries(Array.from({ length: 300_000 }, (_, id) => [`t${id}`, id]));
  const { vocabularySize: size } = createTokenizer({
    added_tokens: [],
    model: { type: 'WordPiece', vocab, unk_token: 't0', continuing_subword_prefix: '##', max_input_chars_per_word: 100 },
  });
  expect(size).toBe(300_000);
});

it('a file that is not JSON is rejected by name', async () => {
  const json = new File(['{"model":'], 'tokenizer.json');
  await expect(openTokenizer({ json })).rejects.toThrow(/^tokenizer: tokenizer\.json is not JSON/);
});
