// The bundled language model and its tokenizer against transformers on the same files (tests/golden-models/austen.json).

import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { openModel } from '../../web/engine/model.node.ts';
import { createTokenizer } from '../../web/tokenizer/tokenizer.ts';

interface Case {
  readonly text: string;
  readonly ids: readonly number[];
  readonly loss: number;
  readonly top: readonly (readonly [id: number, logProbability: number])[];
  readonly generated: readonly number[];
  readonly decoded: string;
}
const folder = 'public/models/austen';
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const { texts } = json('tests/golden-models/austen.json') as { readonly texts: readonly Case[] };
const training = json(`${folder}/training.json`) as { readonly nats: readonly { readonly length: number; readonly loss: number }[] };
const tokenizer = createTokenizer(json(`${folder}/tokenizer.json`));
const model = await openModel(folder, { tokenizer, variant: 'simd' });
afterAll(() => model.dispose());

describe.each(texts)('$text', ({ text, ids, loss, top, generated, decoded }) => {
  it('matches the token ids, loss and predictions of transformers', async () => {
    const run = await model.run(text, { outputs: ['loss'], topK: top.length, logitsToKeep: 0 });
    expect(run.inputIds).toEqual(ids);
    expect(run.loss).toBeCloseTo(loss, 4);
    const predictions = run.predictions?.at(-1) ?? [];
    expect(predictions.map(({ id }) => id)).toEqual(top.map(([id]) => id));
    for (const [index, [, logProbability]] of top.entries()) expect(predictions[index]?.logProbability).toBeCloseTo(logProbability, 3);
  });

  it('generates the same tokens as transformers', async () => {
    const added: number[] = [];
    for await (const { id } of model.generate(text, { maxNewTokens: generated.length })) added.push(id);
    expect(added).toEqual(generated);
    expect(tokenizer.decode([...ids, ...added])).toBe(decoded);
  });
});

it('is close to its recorded loss on held-out text, and worse without positions', async () => {
  const novel = readFileSync('public/data/pride-and-prejudice.txt', 'utf8')
    .slice(-60_000)
    .replace(/(?<!\n)\n(?!\n)/g, ' ')
    .replace(/\n+/g, '\n');
  const ids = tokenizer.encode(novel);
  const mean = async (changes: readonly { readonly kind: 'none' }[]) => {
    const losses: number[] = [];
    for (let index = 0; index + 128 <= ids.length && losses.length < 24; index += 512)
      losses.push((await model.run(ids.slice(index, index + 128), { outputs: ['loss'], changes })).loss ?? Number.NaN);
    return losses.reduce((sum, loss) => sum + loss) / losses.length;
  };
  const [trainedLoss, without] = [await mean([]), await mean([{ kind: 'none' }])];
  // The recorded loss is that of the last 32 of 128 tokens; here all tokens count, also those with little context.
  expect(Math.abs(trainedLoss - Number(training.nats[0]?.loss))).toBeLessThan(0.4);
  expect(without).toBeGreaterThan(trainedLoss + 0.7);
});
