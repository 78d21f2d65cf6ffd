// Gemma 3 270M (GGUF, Q4_K_M) against what transformers computed in float32 from the same weights (tests/golden-real).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../../scripts/root.mjs';
import { Differences } from './differences.mjs';

/** @typedef {import('../../web/engine/model.node.ts').Model} Model */
/** @typedef {import('../../web/engine/model.node.ts').PositionChange} PositionChange */

/** How far two right answers may be apart, absolute. */
const MOST = { logits: 1e-3, logProbabilities: 5e-4, loss: 2e-5, attention: 1e-4 };

/** @param {string} name */
const reference = (name) => JSON.parse(gunzipSync(readFileSync(join(root, `tests/golden-real/${name}.json.gz`))).toString());
const { texts, greedy } = reference('gemma');
const { changes, removed } = reference('gemma-changes');

/** A recorded change in the words of this project. @param {any} recorded @param {number} tokens @returns {PositionChange} */
function changeOf({ layers, heads, position, window }, tokens) {
  const place = { layers, heads };
  if (position === undefined) return { kind: 'window', ...place, window: window ?? undefined };
  if (typeof position === 'string') return { kind: /** @type {'none' | 'layout'} */ (position), ...place };
  const { shift, order, clip, band, effect, ...params } = position;
  if (shift !== undefined) return { kind: 'shift', ...place, shift };
  if (order !== undefined) return { kind: 'order', ...place, order: Array.from({ length: tokens }, (_, at) => tokens - 1 - at) };
  if (clip !== undefined) return { kind: 'clip', ...place, clip };
  if (band !== undefined) return { kind: effect, ...place, pairsBegin: band[0], pairsEnd: band[1] + 1 };
  return { kind: 'params', ...place, params };
}

/** @param {Model} model @param {number} [count] of the changes and removed heads that are compared; default: all */
export async function compareGemma(model, count = Number.POSITIVE_INFINITY) {
  const found = new Differences();
  for (const { ids, loss, log_probabilities, predictions, attentions } of texts) {
    /** @type {import('../../web/engine/model.node.ts').ModelOutputName[]} */
    const outputs = attentions ? ['logits', 'loss', 'attentions'] : ['logits', 'loss'];
    const out = await model.run(ids, { outputs });
    found.compare('log-probabilities', MOST.logProbabilities, out.logProbabilities ?? [], log_probabilities);
    found.compare('loss', MOST.loss, [out.loss ?? Number.NaN], [loss]);
    const { vocabSize } = model.info;
    for (const { position, ids: largest, logits } of predictions) {
      const row = out.logits?.data.subarray(position * vocabSize, (position + 1) * vocabSize) ?? [];
      found.compare(
        'logits',
        MOST.logits,
        largest.map((/** @type {number} */ id) => row[id]),
        logits,
      );
    }
    for (const [layer, { data }] of (attentions ?? []).entries())
      found.compare('attention', MOST.attention, out.attentions?.[layer]?.data ?? [], data);
  }
  for (const { ids, continuation } of greedy) {
    const tokens = [];
    for await (const { id } of model.generate(ids, { maxNewTokens: continuation.length })) tokens.push(id);
    found.compare('greedy tokens', 0, tokens, continuation);
  }
  /** @param {string} id @param {PositionChange[]} all */
  const lossOf = async (id, all) => {
    const { ids } = texts.find((/** @type {{ id: string }} */ text) => text.id === id);
    return (await model.run(ids, { outputs: ['loss'], changes: all })).loss ?? Number.NaN;
  };
  const tokensOf = new Map(texts.map((/** @type {{ id: string, ids: number[] }} */ { id, ids }) => [id, ids.length]));
  for (const { as, results } of changes.slice(0, count))
    for (const [id, { loss }] of Object.entries(results))
      found.compare('losses of changes', MOST.loss, [await lossOf(id, [changeOf(as, tokensOf.get(id) ?? 0)])], [loss]);
  const plain = await lossOf(removed.text, []);
  const all = removed.heads.flatMap((/** @type {number[]} */ row, /** @type {number} */ layer) =>
    row.map((increase, head) => ({ layer, head, increase })),
  );
  for (const { layer, head, increase } of all.slice(0, count))
    found.compare(
      'heads removed',
      MOST.loss,
      [(await lossOf(removed.text, [{ kind: 'zero_ablation', layers: [layer], heads: [head] }])) - plain],
      [increase],
    );
  for (const [layer, increase] of removed.layers.slice(0, count).entries())
    found.compare('layers removed', MOST.loss, [(await lossOf(removed.text, [{ kind: 'skip', layers: [layer] }])) - plain], [increase]);
  return found.rows();
}
