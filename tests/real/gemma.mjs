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
  const selection = { layers, heads };
  if (position === undefined) return { kind: 'window', ...selection, window: window ?? undefined };
  if (typeof position === 'string') return { kind: /** @type {'none' | 'layout'} */ (position), ...selection };
  const { shift, order, clip, band, effect, ...params } = position;
  if (shift !== undefined) return { kind: 'shift', ...selection, shift };
  if (order !== undefined) return { kind: 'order', ...selection, order: Array.from({ length: tokens }, (_, index) => tokens - 1 - index) };
  if (clip !== undefined) return { kind: 'clip', ...selection, clip };
  if (band !== undefined) return { kind: effect, ...selection, pairsBegin: band[0], pairsEnd: band[1] + 1 };
  return { kind: 'params', ...selection, params };
}

/** @param {Differences} differences @param {ComparedModel} model */
async function compareTexts(differences, model) {
  for (const { ids, loss, log_probabilities, predictions: recorded, attentions, heads, pairs_used } of texts) {
    /** @type {ModelOutputName[]} */
    const outputs = [
      'loss',
      ...(attentions ? /** @type {const} */ (['logits', 'attentions']) : []),
      ...(heads ? /** @type {const} */ (['headMeasures']) : []),
    ];
    const output = await model.run(ids, { outputs, topK: 20 });
    differences.compare('log-probabilities', MOST.logProbabilities, output.logProbabilities ?? [], log_probabilities);
    differences.compare('losses', MOST.loss, [output.loss ?? Number.NaN], [loss]);
    for (const { position, ids: largest, logits, logsumexp } of recorded) {
      // The 20th and the 21st logit may be equal.
      const smallestLogit = logits.at(-1);
      const actual = output.predictions?.[position] ?? [];
      const expected = actual.map(({ id }) => (logits[largest.indexOf(id)] ?? smallestLogit) - logsumexp);
      differences.compare(
        'predictions',
        MOST.logits,
        actual.map(({ logProbability }) => logProbability),
        expected.length === largest.length ? expected : [Number.NaN],
      );
      if (!output.logits) continue;
      const { shape, data } = output.logits;
      const actualLogits = largest.map((/** @type {number} */ id) => data[position * (shape[1] ?? 0) + id]);
      differences.compare('logits', MOST.logits, actualLogits, logits);
    }
    for (const [layer, { data }] of (attentions ?? []).entries())
      differences.compare('attention', MOST.attention, output.attentions?.[layer]?.data ?? [], data);
    if (!heads) continue;
    compareMeasures(differences, MOST.measures, output.headMeasures, heads);
    for (const [layer, pairs] of pairs_used.entries())
      differences.compare('measures of heads', MOST.measures, output.headMeasures?.pairsUsed?.[layer]?.data ?? [], pairs.flat());
  }
  const { ids, loss_of_first_copy, loss_of_second_copy, ...measures } = repeated;
  const out = await model.run(ids, { outputs: ['loss', 'headMeasures'] });
  compareMeasures(differences, MOST.measures, out.headMeasures, measures);
  // The ids are <bos>, 32 random ids, and the same 32 ids again.
  const mean = (/** @type {readonly number[]} */ values) => -values.reduce((sum, number) => sum + number, 0) / values.length;
  const copies = [mean(out.logProbabilities?.slice(0, 32) ?? []), mean(out.logProbabilities?.slice(32) ?? [])];
  differences.compare('losses', MOST.loss, copies, [loss_of_first_copy, loss_of_second_copy]);
}

/** @param {ComparedModel} model @param {string} id of a text @param {PositionChange[]} changes */
const lossOf = async (model, id, changes) => (await model.run(idsOf(id), { outputs: ['loss'], changes })).loss ?? Number.NaN;

/** @param {Differences} differences @param {ComparedModel} model */
async function compareChanges(differences, model) {
  for (const { as, results } of changes)
    for (const [id, { loss }] of Object.entries(results))
      differences.compare('losses of changes', MOST.loss, [await lossOf(model, id, [changeOf(as, idsOf(id).length)])], [loss]);
}

/** @param {Differences} differences @param {ComparedModel} model */
async function compareRemoval(differences, model) {
  const baselineLoss = await lossOf(model, removed.text, []);
  for (const [layer, row] of removed.heads.entries())
    for (const [head, increase] of row.entries())
      differences.compare(
        'heads removed',
        MOST.loss,
        [(await lossOf(model, removed.text, [{ kind: 'zero_ablation', layers: [layer], heads: [head] }])) - baselineLoss],
        [increase],
      );
  for (const [layer, increase] of removed.layers.entries())
    differences.compare(
      'layers removed',
      MOST.loss,
      [(await lossOf(model, removed.text, [{ kind: 'skip', layers: [layer] }])) - baselineLoss],
      [increase],
    );
}

/** @param {Differences} differences @param {ComparedModel} model */
async function compareGeneration(differences, model) {
  for (const { ids, continuation } of greedy) {
    const tokens = [];
    for await (const { id } of model.generate(ids, { maxNewTokens: continuation.length })) tokens.push(id);
    differences.compare('greedy tokens', 0, tokens, continuation);
  }
}

/** Reports each part as soon as it is compared, because all of them take minutes. @type {import('./native-model.mjs').Compare} */
export async function compareGemma(model, report) {
  for (const part of [compareTexts, compareGeneration, compareChanges, compareRemoval]) {
    const differences = new Differences();
    await part(differences, model);
    report(differences.rows());
  }
}

/** Compares blocks of each type in the file exactly, by digest. @param {ReadRow} readRow */
export async function compareBlocks(readRow) {
  const differences = new Differences();
  for (const { tensor, row, count, sha256 } of blocks) {
    // The recorded values have no negative zeros.
    const values = Float32Array.from((await readRow(tensor, row)).slice(0, count), (number) => number + 0);
    const isSame = createHash('sha256').update(values).digest('hex') === sha256;
    differences.compare('types of blocks', 0, [isSame ? 1 : 0], [1]);
  }
  return differences.rows();
}
