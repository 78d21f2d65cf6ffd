// Whole models through phasor/model: tiny checkpoints in the layout of Hugging Face, and the results of transformers
// (tests/golden-models), in both variants, on this thread and in a worker.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Model, type ModelOutputName, openModel, openModelWorker } from '../../web/engine/model.node.ts';
import type { Tensor } from '../../web/engine/types/api.ts';
import type { Text } from './models/family.ts';
import { type Batch, checkFields, part, type Reference, type Results, texts } from './models/reference.ts';
import './relaxed-simd.ts';

const folder = 'tests/golden-models';
const json = (path: string) => JSON.parse(readFileSync(`${folder}/${path}`, 'utf8'));
const { cases: names }: { cases: string[] } = json('index.json');

/** Tolerances relative to 1 + |expected|, as in tests/cpp/model/golden_models_test.cpp. */
const OUTPUT = 3e-5;
const WEIGHT = 8e-6;

/** Rows of padded tokens are not compared: nothing reads them. */
function compare(label: string, actual: Tensor, { shape, data }: Results, tolerance: number, { ids, attentionMask }: Text): void {
  expect(actual.shape, label).toEqual(shape);
  const row = shape.at(-1) as number;
  let worst = 0;
  data.forEach((expected, i) => {
    if (!attentionMask[Math.floor(i / row) % ids.length]) return;
    const value = actual.data[i] as number;
    if (tolerance === WEIGHT && expected === 0) expect(value, `${label}: a masked weight`).toBe(0);
    const error = Math.abs(value - expected) / (1 + Math.abs(expected));
    worst = Number.isNaN(error) ? Number.POSITIVE_INFINITY : Math.max(worst, error);
  });
  expect(worst, label).toBeLessThanOrEqual(tolerance);
}

async function compareText(model: Model, batch: Batch, text: Text, textIndex: number): Promise<void> {
  const { causal, hasHead } = model.info;
  const outputs: ModelOutputName[] = ['hiddenStates', 'attentions'];
  if (hasHead) outputs.push('logits');
  if (hasHead && causal) outputs.push('loss');
  const { ids, attentionMask, types } = text;
  const out = await model.run(ids, {
    outputs,
    ...(batch.attention_mask ? { attentionMask } : {}),
    ...(batch.token_type_ids ? { tokenTypeIds: types } : {}),
  });
  expect(out.inputIds).toEqual(ids);
  expect(!batch.logits).toBe(!hasHead);
  if (batch.logits) compare('logits', out.logits!, part(batch.logits, textIndex), OUTPUT, text);
  if (batch.last_hidden_state) compare('last hidden state', out.lastHiddenState, part(batch.last_hidden_state, textIndex), OUTPUT, text);
  expect(out.attentions).toHaveLength(batch.attentions.length);
  batch.attentions.forEach((expected, layer) => {
    compare(`attention ${layer}`, out.attentions![layer]!, part(expected, textIndex), WEIGHT, text);
  });
  expect(out.hiddenStates).toHaveLength(batch.attentions.length + 1);
  batch.hidden_states?.forEach((expected, state) => {
    compare(`state ${state}`, out.hiddenStates![state]!, part(expected, textIndex), OUTPUT, text);
  });
  if (batch.next_token_ce !== undefined) expect(Math.abs(out.loss! - batch.next_token_ce)).toBeLessThan(OUTPUT * (1 + batch.next_token_ce));
  if (hasHead && causal) expect(out.logProbabilities).toHaveLength(ids.length - 1);
}

/** Compares the logits of a cache: the first 10 tokens at once and the others one by one. */
async function compareDecoded(model: Model, batch: Batch): Promise<void> {
  const [text] = texts(batch) as [Text];
  const cache = await model.createCache({ maxLength: text.ids.length });
  const { shape, data } = part(batch.logits!, 0);
  const vocabSize = shape[1] as number;
  for (let begin = 0, count = 10; begin < text.ids.length; begin += count, count = 1) {
    const ids = text.ids.slice(begin, begin + count);
    const { logits } = await model.run(ids, { outputs: ['logits'], cache });
    const expected = { shape: [ids.length, vocabSize], data: data.slice(begin * vocabSize, (begin + ids.length) * vocabSize) };
    compare(`logits from token ${begin} on`, logits, expected, OUTPUT, { ...text, ids, attentionMask: ids.map(() => 1) });
    expect(cache.length).toBe(begin + ids.length);
  }
  await expect(model.run([1], { cache })).rejects.toMatchObject({ code: 'invalid_argument', argument: 'inputIds' });
  expect(cache.length).toBe(text.ids.length);
  cache.dispose();
}

/** Continues from 5 tokens across the original context of 8; `generated` is the result of transformers. */
async function compareAcross(model: Model, batch: Batch, generated: { input_ids: number[]; new_ids: number[] }): Promise<void> {
  const ids: number[] = [];
  for await (const { id } of model.generate(generated.input_ids, { maxNewTokens: generated.new_ids.length })) ids.push(id);
  expect(ids).toEqual(generated.new_ids);
  const [text] = texts(batch) as [Text];
  const cache = await model.createCache({ maxLength: text.ids.length });
  await model.run(text.ids.slice(0, 5), { outputs: [], cache });
  await expect(model.run([...text.ids.slice(5, 9), 48], { cache })).rejects.toMatchObject({ argument: 'inputIds[4]' });
  expect(cache.length).toBe(5);
  const remainingIds = text.ids.slice(5);
  const { logits, attentions, hiddenStates } = await model.run(remainingIds, { outputs: ['logits', 'attentions', 'hiddenStates'], cache });
  const visibleText: Text = { ...text, ids: remainingIds, attentionMask: remainingIds.map(() => 1 as const) };
  const last = ({ shape, data }: Results): Results => {
    const columns = shape.at(-1) as number;
    const rows = shape.at(-2) as number;
    return {
      shape: [...shape.slice(0, -2), remainingIds.length, columns],
      data: data.filter((_, i) => Math.floor(i / columns) % rows >= 5),
    };
  };
  compare('logits', logits, last(part(batch.logits!, 0)), OUTPUT, visibleText);
  for (const [layer, weights] of attentions.entries())
    compare(`attention ${layer}`, weights, last(part(batch.attentions[layer]!, 0)), WEIGHT, visibleText);
  const fullResult = await model.run(text.ids, { outputs: ['hiddenStates'] });
  for (const [state, { shape, data }] of fullResult.hiddenStates.entries())
    compare(`state ${state}`, hiddenStates[state]!, last({ shape, data: [...data] }), OUTPUT, visibleText);
  cache.dispose();
}

const ways = [
  ['simd', 'same-thread'],
  ['relaxed', 'same-thread'],
  ['simd', 'worker'],
  ['relaxed', 'worker'],
] as const;

describe.each(ways)('%s, %s', (variant, thread) => {
  it.each(names)('computes %s like transformers', async (name) => {
    const { family, inputs, generated }: Reference & { generated?: Parameters<typeof compareAcross>[2] } = json(`${name}/expected.json`);
    const openModelOn = thread === 'worker' ? openModelWorker : openModel;
    using model = await openModelOn(`${folder}/${name}`, { variant });
    expect([model.variant, model.thread, model.info.modelType]).toEqual([variant, thread, family]);
    for (const batch of inputs) {
      checkFields(batch);
      for (const [at, text] of texts(batch).entries()) await compareText(model, batch, text, at);
    }
    if (name === 'mistral-dynamic')
      await expect(model.createCache({ maxLength: 19 })).rejects.toThrow(
        /^maxLength: 19 is outside 1 to 8, the original context length; beyond it/,
      );
    else if (model.info.causal) await compareDecoded(model, inputs[2]!);
    else await expect(model.createCache({ maxLength: 8 })).rejects.toThrow('only causal models can have a cache');
    expect(Boolean(generated)).toBe(name === 'phi3-longrope');
    if (generated) await compareAcross(model, inputs[2]!, generated);
  });
});
