// phasor/model: runs, attention, generation, caches, and rejected calls.
import { afterAll, describe, expect, it } from 'vitest';
import { modelWorkerOpener } from '../../web/engine/create/model-worker.ts';
import { openFolder } from '../../web/engine/model/folder.node.ts';
import { type Model, openModel, openModelWorker, PhasorError } from '../../web/engine/model.node.ts';
import { locateModelFile } from '../../web/engine/package-model-files.ts';
import { node } from '../../web/engine/platform/node.ts';
import { GOLDEN } from './checkpoint-files.ts';

const ids = [3, 1, 4, 1, 5];
const llama = `${GOLDEN}/llama-gqa`;
const openedModels = await Promise.all([openModel(llama, { variant: 'simd' }), openModelWorker(llama, { variant: 'simd' })]);
const bert = await openModel(`${GOLDEN}/bert-base`);
const mlm = await openModel(`${GOLDEN}/bert-mlm`);
const gpt2 = await openModel(`${GOLDEN}/gpt2-a`);
afterAll(() => {
  for (const model of [...openedModels, bert, mlm, gpt2]) model.dispose();
});

const generated = async (...[model, ...request]: [Model, ...Parameters<Model['generate']>]) => {
  const tokens = [];
  for await (const token of model.generate(...request)) tokens.push(token);
  return tokens;
};

describe.each(openedModels.map((model) => [model.thread, model] as const))('model on %s', (_, model) => {
  it('returns the requested outputs', async () => {
    const { inputIds, lastHiddenState, logits, ...otherOutputs } = await model.run(ids);
    expect(inputIds).toEqual(ids);
    expect([lastHiddenState.shape, logits?.shape]).toEqual([
      [5, 32],
      [5, 64],
    ]);
    expect(otherOutputs).toEqual({});
    const results = await model.run(Uint16Array.from(ids), { outputs: ['logits', 'hiddenStates', 'attentions', 'loss'], topK: 3 });
    expect(results.logits).toEqual(logits);
    expect(results.hiddenStates.map(({ shape }) => shape)).toEqual(Array(3).fill([5, 32]));
    expect(results.hiddenStates.at(-1)).toEqual(lastHiddenState);
    expect(results.attentions.map(({ shape }) => shape)).toEqual(Array(2).fill([4, 5, 5]));
    expect(results.loss).toBeCloseTo(-results.logProbabilities!.reduce((sum, number) => sum + number, 0) / 4, 12);
    const row = [...results.logits.data.slice(-64)];
    const sum = row.reduce((total, logit) => total + Math.exp(logit), 0);
    const largest = row
      .map((logit, id) => ({ id, logProbability: logit - Math.log(sum) }))
      .sort((a, b) => b.logProbability - a.logProbability);
    expect(results.predictions).toHaveLength(5);
    results.predictions!.at(-1)!.forEach(({ id, logProbability }, n) => {
      expect(id).toBe(largest[n]!.id);
      expect(logProbability).toBeCloseTo(largest[n]!.logProbability, 5);
    });
    const last = await model.run(ids, { outputs: ['logits', 'loss'], topK: 3, logitsToKeep: 1 });
    expect(last.logits.data).toEqual(results.logits.data.slice(-64));
    expect(last.predictions).toEqual(results.predictions!.slice(-1));
    expect([last.logProbabilities, last.loss]).toEqual([[], undefined]);
    expect(Object.keys(await model.run(ids, { outputs: [] }))).toEqual(['inputIds', 'lastHiddenState']);
  });

  it('returns the attention of a layer or a head', async () => {
    const { attentions } = await model.run(ids, { outputs: ['attentions'] });
    expect(await model.attention(ids, { layer: 1 })).toEqual(attentions[1]);
    const { shape, data } = await model.attention(ids, { layer: 0, head: 3 });
    expect(shape).toEqual([1, 5, 5]);
    expect(data).toEqual(attentions[0]!.data.slice(75));
    const hidden = await model.attention(ids, { layer: 0, attentionMask: [0, 1, 1, 1, 1] });
    for (let row = 1; row < 5; row++) expect(hidden.data[row * 5]).toBe(0);
  });

  it('generates the most probable tokens', async () => {
    const text = [...ids];
    const tokens = await generated(model, ids, { maxNewTokens: 8, topK: 2 });
    expect(tokens).toHaveLength(8);
    for (const { id, logProbability, alternatives } of tokens) {
      const { predictions } = await model.run(text, { outputs: [], topK: 2 });
      expect(alternatives.map((alternative) => alternative.id)).toEqual(predictions!.at(-1)!.map((alternative) => alternative.id));
      expect(alternatives[0]).toEqual({ id, logProbability });
      expect(logProbability).toBeCloseTo(predictions!.at(-1)![0]!.logProbability, 5);
      text.push(id);
    }
    const [first] = tokens;
    expect(await generated(model, ids, { eosTokenId: first!.id })).toHaveLength(1);
    expect(await generated(model, ids, { maxNewTokens: 0 })).toEqual([]);
    expect(await generated(model, ids)).toHaveLength(20);
  });

  it('can be stopped or cancelled between two tokens', async () => {
    const controller = new AbortController();
    let count = 0;
    const cancelled = (async () => {
      for await (const _token of model.generate(ids, { maxNewTokens: 8, signal: controller.signal })) if (++count === 3) controller.abort();
    })();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(count).toBe(3);
    for await (const { id } of model.generate(ids)) {
      expect(id).toBeTypeOf('number');
      break;
    }
    await expect(model.run(ids, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
      message: 'run: the call was cancelled',
    });
    expect((await model.run(ids)).logits?.shape).toEqual([5, 64]);
  });

  it('rejects the cache of a cancelled run, whose contents are unknown', async () => {
    const cache = await model.createCache({ maxLength: 16 });
    await expect(model.run(ids, { cache, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    await model.run(ids, { cache });
    const controller = new AbortController();
    const run = model.run([9], { cache, signal: controller.signal });
    const next = model.run([9], { cache });
    // The request is sent after its text is read, in a microtask.
    await Promise.resolve();
    await Promise.resolve();
    controller.abort();
    const sentence = 'cache: its contents are unknown after a cancelled run; expected another cache';
    const rejection = expect(next).rejects.toThrow(sentence);
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    await rejection;
    await expect(model.run([9], { cache })).rejects.toThrow(sentence);
    cache.dispose();
  });

  it('rejects invalid requests and names the field', async () => {
    const cases: [() => Promise<unknown>, string][] = [
      [() => model.run([]), 'inputIds: is empty; expected at least one token id'],
      [() => model.run([3, 64]), 'inputIds[1]: 64 is outside 0 to 63'],
      [() => model.run([3, -1]), 'inputIds: -1 is not a whole number from 0 to 2147483647'],
      [() => model.run([0.5]), 'inputIds: 0.5 is not a whole number from 0 to 2147483647'],
      [() => model.run(7 as never), 'inputIds: 7 is neither a list of token ids nor a string'],
      [() => model.run('text'), 'inputIds: "text" is a string, but the model has no tokenizer; expected token ids'],
      [
        () => model.run(ids, { outputs: ['weights'] as never }),
        'outputs: weights is not a list of logits, hiddenStates, attentions, loss, headMeasures',
      ],
      [() => model.run(ids, { topK: 65 }), 'topK: 65 is outside 0 to 64'],
      [() => model.run(ids, { logitsToKeep: -1 }), 'logitsToKeep: -1 is outside 0 to 1048576'],
      [() => model.run(ids, { attentionMask: [1] }), 'attentionMask: has 1 entries; expected 5, one per token'],
      [() => model.run(ids, { tokenTypeIds: [0, 0, 0, 0, 0] }), 'tokenTypeIds: the model has no token type embeddings'],
      [() => model.run(ids, { layers: 1 } as never), 'layers is not a field of run'],
      [() => model.run(ids, { cache: {} as never }), 'cache: an object is not a cache'],
      [() => model.attention(ids, { layer: 2 }), 'layer: 2 is outside 0 to 1'],
      [() => model.attention(ids, { layer: 0, cache: {} } as never), 'cache is not a field of attention'],
      [() => model.attention(ids, { layer: 0, head: 4 }), 'head: 4 is outside 0 to 3'],
      [() => model.attention(ids, {} as never), 'layer: undefined is not a number'],
      [() => model.createCache({ maxLength: 0 }), 'maxLength: 0 is outside 1 to 1048576'],
      [() => generated(model, ids, { maxNewTokens: 0.5 }), 'maxNewTokens: 0.5 is not a whole number'],
      [() => generated(model, ids, { topK: 0 }), 'topK: 0 is outside 1 to 64'],
      [() => generated(model, ids, { eosTokenId: '2' as never }), 'eosTokenId: "2" is not a token id'],
      [
        () => generated(model, ids, { temperature: 1 } as never),
        'temperature is not an option; expected one of maxNewTokens, eosTokenId, topK, changes, signal',
      ],
    ];
    for (const [call, message] of cases) {
      const error = await call().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error, message).toBeInstanceOf(PhasorError);
      expect((error as PhasorError).message).toBe(message);
    }
  });

  it('continues a cache, until it is disposed of', async () => {
    const fullResult = await model.run(ids);
    const cache = await model.createCache({ maxLength: 5 });
    const first = await model.run(ids.slice(0, 3), { cache });
    await expect(model.run([99], { cache })).rejects.toThrow('inputIds[0]: 99 is outside 0 to 63');
    const second = await model.run(ids.slice(3), { cache, outputs: ['logits'] });
    expect(cache.length).toBe(5);
    const logits = [...first.logits!.data, ...second.logits.data];
    logits.forEach((logit, index) => {
      expect(logit).toBeCloseTo(fullResult.logits!.data[index]!, 5);
    });
    await expect(model.run([1], { cache })).rejects.toThrow('inputIds: 6 tokens exceed the cache length, 5');
    await expect(gpt2.run([1], { cache })).rejects.toThrow('cache: this cache belongs to another engine');
    cache.dispose();
    cache.dispose();
    await expect(model.run([1], { cache })).rejects.toThrow('cache: this cache is disposed');
  });
});

it('rejects outputs that a checkpoint does not have', async () => {
  await expect(bert.run(ids, { outputs: ['logits'] })).rejects.toThrow(
    'outputs: "logits" requires a language-model head; this checkpoint has none',
  );
  await expect(mlm.run(ids, { outputs: ['loss'] })).rejects.toThrow('outputs: "loss" requires a causal model');
  await expect(generated(bert, ids)).rejects.toThrow('generate: requires a language-model head; this checkpoint has none');
  await expect(generated(mlm, ids)).rejects.toThrow('maxLength: only causal models can have a cache');
  expect(Object.keys(await bert.run(ids))).toEqual(['inputIds', 'lastHiddenState']);
  const longIds = Array<number>(65).fill(1);
  await expect(gpt2.run(longIds)).rejects.toThrow(/^inputIds: 65 tokens exceed the model's number of positions, \d+$/);
  await expect(generated(gpt2, ids, { maxNewTokens: 1000 })).rejects.toMatchObject({
    argument: 'maxNewTokens',
    message: expect.stringMatching(/^maxNewTokens: 1000 is outside 0 to \d+$/),
  });
});

it('rejects calls after dispose', async () => {
  for (const open of [openModel, openModelWorker]) {
    const model = await open(llama);
    const call = model.run(ids);
    await call;
    model.dispose();
    model.dispose();
    expect(model.disposed).toBe(true);
    await expect(model.run(ids)).rejects.toThrow('model: is disposed');
    await expect(generated(model, ids)).rejects.toThrow('model: is disposed');
  }
});

it('computes on this thread if no worker can be started', async () => {
  const platform = {
    ...node,
    program: 'phasor-model' as const,
    packageFiles: locateModelFile,
    start: () => {
      throw new PhasorError('blocked_by_csp', 'worker: forbidden');
    },
  };
  const openWorker = modelWorkerOpener(platform, () => import('../../web/engine/worker/model-same-thread.ts'), openFolder);
  await expect(openWorker(llama)).rejects.toMatchObject({ code: 'blocked_by_csp' });
  using model = await openWorker(llama, { fallback: 'same-thread', variant: 'simd' });
  expect(model.thread).toBe('same-thread');
  expect((await model.run(ids)).logits).toEqual((await openedModels[0]!.run(ids)).logits);
});
