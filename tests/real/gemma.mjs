// Compares Gemma 3 270M (GGUF, Q4_K_M) with results of transformers in float32 from the same weights (tests/golden-real).
import { createHash } from 'node:crypto';
import { Differences } from './differences.mjs';
import { compareMeasures, reference } from './references.mjs';

/** @import { ComparedModel, ReadRow } from './native-model.mjs' */
/** @import { ModelOutputName, PositionChange } from '../../web/engine/model.node.ts' */

/** Tolerances: measures relative to 1 + |expected|, the others absolute. */
const MOST = { logits: 1e-3, logProbabilities: 5e-4, loss: 2e-5, attention: 1e-4, measures: 2e-4 };

const { texts, greedy } = reference('gemma');
const { changes, removed } = reference('gemma-changes');
const { repeated } = reference('gemma-heads');
const { blocks } = reference('gemma-blocks');
/** @param {string} id @returns {number[]} */
const idsOf = (id) => texts.find((/** @type {{ id: string }} */ text) => text.id === id).ids;

/** Converts a recorded change to a change of phasor/model. @param {any} recorded @param {number} tokens @returns {PositionChange} */
function changeOf({ layers, heads, position, window }, tokens) {
  const place = { layers, heads };
  if (position === undefined) return { kind: 'window', ...place, window: window ?? undefined };
  if (typeof position === 'string') return { kind: /** @type {'none' | 'layout'} */ (position), ...place };
  const { shift, order, clip, band, effect, ...params } = position;
  if (shift !== undefined) return { kind: 'shift', ...place, shift };
  if (order !== undefined) return { kind: 'order', ...place, order: Array.from({ length: tokens }, (_, index) => tokens - 1 - index) };
  if (clip !== undefined) return { kind: 'clip', ...place, clip };
  if (band !== undefined) return { kind: effect, ...place, pairsBegin: band[0], pairsEnd: band[1] + 1 };
  return { kind: 'params', ...place, params };
}

/** @param {Differences} found @param {ComparedModel} model */
async function compareTexts(found, model) {
  for (const { ids, loss, log_probabilities, predictions: recorded, attentions, heads, pairs_used } of texts) {
    /** @type {ModelOutputName[]} */
    const outputs = [
      'loss',
      ...(attentions ? /** @type {const} */ (['logits', 'attentions']) : []),
      ...(heads ? /** @type {const} */ (['headMeasures']) : []),
    ];
    const out = await model.run(ids, { outputs, topK: 20 });
    found.compare('log-probabilities', MOST.logProbabilities, out.logProbabilities ?? [], log_probabilities);
    found.compare('losses', MOST.loss, [out.loss ?? Number.NaN], [loss]);
    for (const { position, ids: largest, logits, logsumexp } of recorded) {
      // The 20th and the 21st logit may be equal.
      const least = logits.at(-1);
      const predicted = out.predictions?.[position] ?? [];
      const expected = predicted.map(({ id }) => (logits[largest.indexOf(id)] ?? least) - logsumexp);
      found.compare(
        'predictions',
        MOST.logits,
        predicted.map(({ logProbability }) => logProbability),
        expected.length === largest.length ? expected : [Number.NaN],
      );
      if (!out.logits) continue;
      const { shape, data } = out.logits;
      const all = largest.map((/** @type {number} */ id) => data[position * (shape[1] ?? 0) + id]);
      found.compare('logits', MOST.logits, all, logits);
    }
    for (const [layer, { data }] of (attentions ?? []).entries())
      found.compare('attention', MOST.attention, out.attentions?.[layer]?.data ?? [], data);
    if (!heads) continue;
    compareMeasures(found, MOST.measures, out.headMeasures, heads);
    for (const [layer, pairs] of pairs_used.entries())
      found.compare('measures of heads', MOST.measures, out.headMeasures?.pairsUsed?.[layer]?.data ?? [], pairs.flat());
  }
  const { ids, loss_of_first_copy, loss_of_second_copy, ...measures } = repeated;
  const out = await model.run(ids, { outputs: ['loss', 'headMeasures'] });
  compareMeasures(found, MOST.measures, out.headMeasures, measures);
  // The ids are <bos>, 32 random ids, and the same 32 ids again.
  const mean = (/** @type {readonly number[]} */ numbers) => -numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const copies = [mean(out.logProbabilities?.slice(0, 32) ?? []), mean(out.logProbabilities?.slice(32) ?? [])];
  found.compare('losses', MOST.loss, copies, [loss_of_first_copy, loss_of_second_copy]);
}

/** @param {ComparedModel} model @param {string} id of a text @param {PositionChange[]} all */
const lossOf = async (model, id, all) => (await model.run(idsOf(id), { outputs: ['loss'], changes: all })).loss ?? Number.NaN;

/** @param {Differences} found @param {ComparedModel} model */
async function compareChanges(found, model) {
  for (const { as, results } of changes)
    for (const [id, { loss }] of Object.entries(results))
      found.compare('losses of changes', MOST.loss, [await lossOf(model, id, [changeOf(as, idsOf(id).length)])], [loss]);
}

/** @param {Differences} found @param {ComparedModel} model */
async function compareRemoval(found, model) {
  const plain = await lossOf(model, removed.text, []);
  for (const [layer, row] of removed.heads.entries())
    for (const [head, increase] of row.entries())
      found.compare(
        'heads removed',
        MOST.loss,
        [(await lossOf(model, removed.text, [{ kind: 'zero_ablation', layers: [layer], heads: [head] }])) - plain],
        [increase],
      );
  for (const [layer, increase] of removed.layers.entries())
    found.compare(
      'layers removed',
      MOST.loss,
      [(await lossOf(model, removed.text, [{ kind: 'skip', layers: [layer] }])) - plain],
      [increase],
    );
}

/** @param {Differences} found @param {ComparedModel} model */
async function compareGeneration(found, model) {
  for (const { ids, continuation } of greedy) {
    const tokens = [];
    for await (const { id } of model.generate(ids, { maxNewTokens: continuation.length })) tokens.push(id);
    found.compare('greedy tokens', 0, tokens, continuation);
  }
}

/** Reports each part as soon as it is compared, because all of them take minutes. @type {import('./native-model.mjs').Compare} */
export async function compareGemma(model, report) {
  for (const part of [compareTexts, compareGeneration, compareChanges, compareRemoval]) {
    const found = new Differences();
    await part(found, model);
    report(found.rows());
  }
}

/** Compares blocks of each type in the file exactly, by digest. @param {ReadRow} readRow */
export async function compareBlocks(readRow) {
  const found = new Differences();
  for (const { tensor, row, count, sha256 } of blocks) {
    // The recorded values have no negative zeros.
    const numbers = Float32Array.from((await readRow(tensor, row)).slice(0, count), (number) => number + 0);
    const isSame = createHash('sha256').update(numbers).digest('hex') === sha256;
    found.compare('types of blocks', 0, [isSame ? 1 : 0], [1]);
  }
  return found.rows();
}
