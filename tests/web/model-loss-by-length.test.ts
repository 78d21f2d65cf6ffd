// phasor/model: the loss on windows of a text, for several lengths.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { openModel, openModelWorker, type WindowProgress } from '../../web/engine/model.node.ts';
import { GOLDEN } from './checkpoint-files.ts';

const text = [5, 6, 7, 8, 9, 6, 7, 11, 3, 4, 40, 12, 9, 9, 8, 30];
const llama = `${GOLDEN}/llama-gqa`;
const models = await Promise.all([openModel(llama), openModelWorker(llama)]);
const [model] = models as [(typeof models)[number], unknown];
const mlm = await openModel(`${GOLDEN}/bert-mlm`);
const gpt2 = await openModel(`${GOLDEN}/gpt2-a`);
afterAll(() => {
  for (const model of [...models, mlm, gpt2]) model.dispose();
});

const mean = (values: readonly number[]) => values.reduce((sum, number) => sum + number, 0) / values.length;
const loss = async (ids: readonly number[], changes?: Parameters<typeof model.run>[1]) =>
  (await model.run(ids, { ...changes, outputs: ['loss'] })).loss as number;

describe.each(models.map((model) => [model.thread, model] as const))('lossByLength on %s', (_, model) => {
  it('averages the loss of consecutive windows', async () => {
    const progressEvents: WindowProgress[] = [];
    const onProgress = (progress: WindowProgress) => void progressEvents.push(progress);
    const results = await model.lossByLength(text, { lengths: [16, 5, 2], maxWindows: 4, onProgress });
    expect(results.map(({ length, windows }) => [length, windows])).toEqual([
      [16, 1],
      [5, 3],
      [2, 4],
    ]);
    expect(results[0]?.loss).toBeCloseTo(await loss(text), 12);
    expect(results[1]?.loss).toBeCloseTo(mean(await Promise.all([0, 5, 10].map((begin) => loss(text.slice(begin, begin + 5))))), 12);
    expect(progressEvents).toEqual(Array.from({ length: 8 }, (_unused, index) => ({ done: index + 1, total: 8 })));
  });

  it('begins every window with the prefix, whose own predictions do not count', async () => {
    const prefixIds = Uint16Array.of(1, 2);
    const [expected] = await model.lossByLength(text, { lengths: Int32Array.of(8), prefixIds });
    const losses = [0, 6].map(async (begin) => {
      const { logProbabilities = [] } = await model.run([1, 2, ...text.slice(begin, begin + 6)], { outputs: ['loss'] });
      return logProbabilities.slice(1);
    });
    expect(expected).toEqual({ length: 8, windows: 2, loss: expect.closeTo(-mean((await Promise.all(losses)).flat()), 12) });
  });

  it('can be cancelled between two windows', async () => {
    const controller = new AbortController();
    const onProgress = ({ done }: WindowProgress) => done === 3 && controller.abort();
    await expect(model.lossByLength(text, { lengths: [2], onProgress, signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
      message: 'lossByLength: cancelled after 3 of 8 windows',
    });
    expect((await model.run(text)).logits?.shape).toEqual([16, 64]);
  });
});

it('computes the loss of transformers', async () => {
  const { inputs } = JSON.parse(readFileSync(`${llama}/expected.json`, 'utf8')) as {
    inputs: { input_ids: [number[]]; next_token_ce?: number }[];
  };
  const texts = inputs.filter(({ next_token_ce }) => next_token_ce !== undefined);
  expect(texts.length).toBeGreaterThan(1);
  for (const { input_ids, next_token_ce } of texts) {
    const [ids] = input_ids;
    const [expected] = await model.lossByLength(ids, { lengths: [ids.length] });
    expect(expected?.loss).toBeCloseTo(next_token_ce as number, 5);
  }
});

it('applies changes', async () => {
  const changes = [{ kind: 'none' }] as const;
  const [expected] = await model.lossByLength(text, { lengths: [16], changes });
  expect(expected?.loss).toBeCloseTo(await loss(text, { changes }), 12);
  expect(Math.abs((expected?.loss as number) - (await loss(text)))).toBeGreaterThan(1e-4);
});

it.each<[request: object, message: string]>([
  [{ lengths: [] }, 'lengths: is empty; expected at least one length'],
  [{ lengths: 4 }, 'lengths: 4 is not a list of numbers'],
  [{}, 'lengths: undefined is not a list of numbers'],
  [{ lengths: [4, 17] }, 'lengths[1]: 17 is outside 2 to 16'],
  [{ lengths: [1] }, 'lengths[0]: 1 is outside 2 to 16'],
  [{ lengths: [2.5] }, 'lengths[0]: 2.5 is not a whole number'],
  [{ lengths: [2], prefixIds: [1, 1] }, 'lengths[0]: 2 is outside 3 to 18'],
  [{ lengths: [4], prefixIds: [1, 99] }, 'prefixIds[1]: 99 is outside 0 to 63'],
  [{ lengths: [4], prefixIds: '<s>' }, 'prefixIds: "<s>" is not a list of numbers'],
  [{ lengths: [4], maxWindows: 0 }, 'maxWindows: 0 is outside 1 to 1048576'],
  [{ lengths: [4], maxWindows: 1.5 }, 'maxWindows: 1.5 is not a whole number'],
  [{ lengths: [4], changes: [{ kind: 'none', layers: [5] }] }, 'changes[0].layers[0]: 5 is outside 0 to 1'],
  [{ lengths: [4], onProgress: 7 }, 'onProgress: 7 is not a function'],
  [{ lengths: [4], signal: 7 }, 'signal: 7 is not an AbortSignal'],
  [{ lengths: [4], threads: 2 }, 'threads is not an option; expected one of lengths, prefixIds, maxWindows, changes, onProgress, signal'],
])('rejects %j', async (request, message) => {
  await expect(model.lossByLength(text, request as never)).rejects.toThrow(message);
});

it('rejects texts and models without a loss', async () => {
  await expect(model.lossByLength([5], { lengths: [2] })).rejects.toThrow('inputIds: a length of 1 is too short to predict a next token');
  await expect(model.lossByLength([...text, 64], { lengths: [2] })).rejects.toThrow('inputIds[16]: 64 is outside 0 to 63');
  await expect(mlm.lossByLength(text, { lengths: [4] })).rejects.toThrow(
    'inputIds: only a causal model with a language-model head has a next-token loss',
  );
  const longIds = Array.from({ length: 130 }, (_, index) => index % 64);
  await expect(gpt2.lossByLength(longIds, { lengths: [130] })).rejects.toThrow(
    /^inputIds: 130 tokens exceed the model's number of positions, \d+/,
  );
});
