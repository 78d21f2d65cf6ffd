// phasor/model: changes of positions and measures of heads. tests/cpp/model covers every kind and every measure.
import { afterAll, describe, expect, it } from 'vitest';
import { openModel, openModelWorker, type PositionChange } from '../../web/engine/model.node.ts';
import { GOLDEN } from './checkpoint-files.ts';

const ids = [3, 1, 4, 1, 5, 9, 2, 6];
const llama = `${GOLDEN}/llama-gqa`;
const models = await Promise.all([openModel(llama, { variant: 'simd' }), openModelWorker(llama, { variant: 'simd' })]);
const [model] = models as [(typeof models)[number], unknown];
const bert = await openModel(`${GOLDEN}/bert-base`);
afterAll(() => {
  for (const model of [...models, bert]) model.dispose();
});

const furthest = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (value, index) => Math.abs(value - (b[index] as number))));
const logitsOf = async (...changes: PositionChange[]) => (await model.run(ids, { outputs: ['logits'], changes })).logits.data;

describe.each(models.map((model) => [model.thread, model] as const))('changes on %s', (_, model) => {
  it('apply to runs, attention, caches and generation', async () => {
    const changes = [{ kind: 'none' }] as const;
    const { logits, attentions } = await model.run(ids, { outputs: ['logits', 'attentions'], changes });
    expect(furthest(logits.data, (await model.run(ids)).logits!.data)).toBeGreaterThan(1e-3);
    expect(await model.attention(ids, { layer: 1, changes })).toEqual(attentions[1]);
    const cache = await model.createCache({ maxLength: 8, changes });
    const cached = await model.run(ids, { outputs: ['logits'], cache });
    expect(furthest(cached.logits.data, logits.data)).toBeLessThan(1e-5);
    await expect(model.run([1], { cache, changes })).rejects.toThrow('changes: cannot be combined with a cache');
    const tokens = [];
    for await (const { id } of model.generate(ids, { maxNewTokens: 1, topK: 1, changes })) tokens.push(id);
    const last = [...logits.data.slice(-64)];
    expect(tokens).toEqual([last.indexOf(Math.max(...last))]);
  });
});

it('keeps the results with the identity of each kind of change', async () => {
  const unchangedLogits = await logitsOf();
  expect(furthest(await logitsOf({ kind: 'shift', shift: 20 }), unchangedLogits)).toBeLessThan(1e-5);
  expect(await logitsOf({ kind: 'order', order: Uint32Array.from(ids.keys()) })).toEqual(unchangedLogits);
  expect(await logitsOf({ kind: 'params', params: { base: 10_000 } })).toEqual(unchangedLogits);
  expect(await logitsOf({ kind: 'layout' }, { kind: 'layout' })).toEqual(unchangedLogits);
  expect(furthest(await logitsOf({ kind: 'clip', clip: 8 }), unchangedLogits)).toBeLessThan(1e-5);
  expect(await logitsOf({ kind: 'still', pairsBegin: 0, pairsEnd: 4 })).toEqual(await logitsOf({ kind: 'none' }));
  expect(await logitsOf({ kind: 'window', window: 8 })).toEqual(unchangedLogits);
  const skipped = await logitsOf({ kind: 'skip', layers: [1] });
  expect(furthest(await logitsOf({ kind: 'zero_ablation', layers: [1] }), skipped)).toBeLessThan(1e-6);
  for (const change of [
    { kind: 'order', order: ids.map((_, index) => 7 - index) },
    { kind: 'params', params: { base: 100 } },
    { kind: 'layout', layers: [0], heads: [2] },
    { kind: 'clip', clip: 1 },
    { kind: 'drop', pairsBegin: 0, pairsEnd: 1 },
    { kind: 'window', window: 2 },
    { kind: 'mean_ablation', layers: [0], heads: [0] },
  ] as const)
    expect(furthest(await logitsOf(change), unchangedLogits), change.kind).toBeGreaterThan(1e-5);
});

it('rejects invalid changes and names the field', async () => {
  const cases: [unknown, RegExp][] = [
    [7, /^changes: 7 is not a list of changes$/],
    [[7], /^changes\[0\]: 7 is not an object with the field kind$/],
    [[{}], /^changes\[0\].kind: undefined is not a kind of change$/],
    [[{ kind: 'move' }], /^changes\[0\].kind: expected one of none, shift, order,/],
    [[{ kind: 'none' }, { kind: 'shift', shift: 'far' }], /^changes\[1\].shift: is not a number$/],
    [[{ kind: 'none', shift: 3 }], /^changes\[0\].shift: a change of kind none has no such field; expected layers, heads$/],
    [
      [{ kind: 'shift', shift: 3, clip: 2 }],
      /^changes\[0\].clip: a change of kind shift has no such field; expected shift, layers, heads$/,
    ],
    [[{ kind: 'shift' }], /^changes\[0\].shift: is missing, but a change of kind shift requires it$/],
    [[{ kind: 'drop', pairsBegin: 1 }], /^changes\[0\].pairsEnd: is missing, but a change of kind drop requires it$/],
    [[{ kind: 'none', layers: [] }], /^changes\[0\].layers: the list is empty; expected at least one index, or no list to select all$/],
    [[{ kind: 'none', by: 1 }], /^changes\[0\].by is not a field of a change; expected kind, layers,/],
    [[{ kind: 'none', layers: 0 }], /^changes\[0\].layers: is not a list of numbers$/],
    [[{ kind: 'none', layers: [2] }], /^changes\[0\].layers/],
    [[{ kind: 'none', heads: [0.5] }], /^changes\[0\].heads: 0.5 is not a whole number$/],
    [[{ kind: 'clip', clip: 0 }], /^changes\[0\].clip/],
    [[{ kind: 'params', params: { slopes: 1 } }], /^changes\[0\]/],
    [[{ kind: 'order', order: [0, 0] }], /^changes\[0\].order/],
  ];
  for (const [changes, message] of cases)
    await expect(model.run(ids, { changes: changes as never }), String(message)).rejects.toThrow(message);
});

it('returns head measures, queries and keys', async () => {
  const { headMeasures, attentions } = await model.run(ids, { outputs: ['headMeasures', 'attentions'] });
  expect([headMeasures.entropy.shape, headMeasures.profile.shape]).toEqual([
    [2, 4],
    [2, 4, 8],
  ]);
  for (const [layer, { data }] of attentions.entries()) {
    for (let head = 0; head < 4; head++) {
      let [first, previous] = [0, 0];
      for (let row = 1; row < 8; row++) {
        first += (data[(head * 8 + row) * 8] as number) / 7;
        previous += (data[(head * 8 + row) * 8 + row - 1] as number) / 7;
      }
      expect(headMeasures.first.data[layer * 4 + head]).toBeCloseTo(first, 6);
      expect(headMeasures.previous.data[layer * 4 + head]).toBeCloseTo(previous, 6);
    }
  }
  expect(headMeasures.inductionChance).toBeGreaterThan(0);
  expect(headMeasures.pairsUsed?.map((pairs) => pairs?.shape)).toEqual(Array(2).fill([4, 4]));
  expect(headMeasures.last).toBeUndefined();
  const bertMeasures = (await bert.run(ids, { outputs: ['headMeasures'] })).headMeasures;
  expect([bertMeasures.last?.shape, bertMeasures.useOfPosition, bertMeasures.pairsUsed?.[0] ?? null]).toEqual([
    bertMeasures.entropy.shape,
    undefined,
    null,
  ]);
  await expect(model.run([1], { outputs: ['headMeasures'] })).rejects.toThrow(/^inputIds|^outputHeadMeasures/);

  const { queries, keys, rotatedQueries, rotatedKeys } = await model.queryKeyStates(ids, { layer: 1 });
  expect([queries.shape, keys.shape, rotatedQueries.shape, rotatedKeys.shape]).toEqual([
    [4, 8, 8],
    [2, 8, 8],
    [4, 8, 8],
    [2, 8, 8],
  ]);
  // The first token is at position 0, where nothing rotates; the last one is not.
  expect(rotatedKeys.data.slice(0, 8)).toEqual(keys.data.slice(0, 8));
  expect(rotatedKeys.data.slice(56, 64)).not.toEqual(keys.data.slice(56, 64));
  await expect(model.queryKeyStates(ids, { layer: 2 })).rejects.toThrow('layer: 2 is outside 0 to 1');
});
