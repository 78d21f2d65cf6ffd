// phasor/model: tokenizers provided by the caller.
import { afterAll, describe, expect, it } from 'vitest';
import { type Model, openModel, type Tokenizer } from '../../web/engine/model.node.ts';
import { GOLDEN } from './checkpoint-files.ts';

const ids = [3, 1, 4, 1, 5];
const llama = `${GOLDEN}/llama-gqa`;
const modelWithoutTokenizer = await openModel(llama, { variant: 'simd' });
afterAll(() => modelWithoutTokenizer.dispose());

const generated = async (...[model, ...request]: [Model, ...Parameters<Model['generate']>]) => {
  const tokens = [];
  for await (const token of model.generate(...request)) tokens.push(token);
  return tokens;
};

describe('tokenizer option', () => {
  // Letters as ids, from 'a' = 0 on.
  const letters: Tokenizer = {
    encode: (text) => ({ ids: [...text].map((letter) => letter.charCodeAt(0) - 97) }),
    decode: (tokens) => String.fromCharCode(...tokens.map((id) => id + 97)),
  };
  const withTokenizer = (tokenizer: Tokenizer) => openModel(llama, { tokenizer, variant: 'simd' });

  it('converts texts to ids and ids to pieces of text', async () => {
    using model = await withTokenizer(letters);
    const { inputIds, logits } = await model.run('dbebf');
    expect(inputIds).toEqual(ids);
    expect(logits).toEqual((await modelWithoutTokenizer.run(ids)).logits);
    expect(await model.attention('dbebf', { layer: 0 })).toEqual(await model.attention(ids, { layer: 0 }));
    const tokens = await generated(model, 'dbebf', { maxNewTokens: 3 });
    expect(tokens.map(({ text }) => text)).toEqual(tokens.map(({ id }) => letters.decode([id])));
    using bare = await withTokenizer({ ...letters, encode: async (text) => (letters.encode(text) as { ids: number[] }).ids });
    expect((await bare.run('dbebf')).inputIds).toEqual(ids);
  });

  it('may combine several tokens into one character', async () => {
    // Two ids are one character; an incomplete character is decoded as U+FFFD.
    const decode = (tokens: number[]) => '🙂'.repeat(tokens.length >> 1) + (tokens.length % 2 ? '\ufffd' : '');
    using model = await withTokenizer({ ...letters, decode });
    const tokens = await generated(model, 'dbeb', { maxNewTokens: 4 });
    expect(tokens.map(({ text }) => text)).toEqual(['', '🙂', '', '🙂']);
  });

  it('is rejected if its methods are missing or fail', async () => {
    await expect(openModel(llama, { tokenizer: {} as never })).rejects.toThrow('tokenizer: an object has no encode; expected');
    using model = await withTokenizer({
      encode: () => {
        throw new Error('what?');
      },
      decode: () => '',
    });
    await expect(model.run('text')).rejects.toThrow('tokenizer: encode failed (what?)');
    using modelWithOddTokenizer = await withTokenizer({ encode: () => 'ids' as never, decode: () => 7 as never });
    await expect(modelWithOddTokenizer.run('text')).rejects.toThrow(
      'tokenizer: "ids" was returned by encode; expected token ids or an object { ids }',
    );
    await expect(generated(modelWithOddTokenizer, ids)).rejects.toThrow('tokenizer: 7 was returned by decode; expected a string');
  });
});
