// Compares all-MiniLM-L6-v2 with results of transformers in float32 (tests/golden-real).
import { Differences } from './differences.mjs';
import { compareMeasures, reference } from './references.mjs';

/** @import { ComparedModel } from './native-model.mjs' */
/** @import { PositionChange, Tensor } from '../../web/engine/model.node.ts' */

/** Tolerances: hidden states and measures relative to 1 + |expected|, the others absolute. */
const MOST = { states: 2e-5, embedding: 2e-6, attention: 2e-5, measures: 2e-4 };

const { cases } = reference('minilm');
const { changes, order } = reference('minilm-changes');
const { repeated } = reference('minilm-heads');
/** @param {string} id @returns {number[]} */
const idsOf = (id) => cases.find((/** @type {{ id: string }} */ testCase) => testCase.id === id).ids;

/** Mean of the states of all tokens, divided by its norm. @param {Tensor} states */
function embeddingOf({ shape: [tokens = 0, size = 0], data }) {
  const mean = Array.from({ length: size }, (_, channel) => {
    let sum = 0;
    for (let token = 0; token < tokens; token++) sum += data[token * size + channel] ?? Number.NaN;
    return sum / tokens;
  });
  const norm = Math.hypot(...mean);
  return mean.map((value) => value / norm);
}

/** The cosine of two vectors of norm 1. @param {number[]} a @param {number[]} b */
const cosine = (a, b) => a.reduce((sum, value, index) => sum + value * (b[index] ?? Number.NaN), 0);

/** @param {Differences} differences @param {ComparedModel} model */
async function compareTexts(differences, model) {
  for (const { ids, hidden, hidden_after_layer_first8, embedding, attentions: recorded, heads } of cases) {
    const { hiddenStates, attentions, headMeasures } = await model.run(ids, { outputs: ['hiddenStates', 'attentions', 'headMeasures'] });
    const lastStates = /** @type {Tensor} */ (hiddenStates.at(-1));
    const size = lastStates.shape[1] ?? 0;
    /** @param {Tensor} states @param {number} token @param {number} from @param {number} to */
    const channels = ({ data }, token, from, to) => Array.from(data.slice(token * size + from, token * size + to));
    /** @param {ArrayLike<number>} actual @param {number[]} values */
    const compareStates = (actual, values) => differences.compare('hidden states', MOST.states, actual, values, true);
    for (let token = 0; token < ids.length; token++) {
      compareStates(channels(lastStates, token, 0, 8), hidden.first8[token]);
      compareStates(channels(lastStates, token, size - 8, size), hidden.last8[token]);
      compareStates([Math.hypot(...channels(lastStates, token, 0, size))], [hidden.norm[token]]);
    }
    for (const [token, values] of Object.entries(hidden.full))
      compareStates(channels(lastStates, Number(token), 0, size), /** @type {number[]} */ (values));
    for (const [layer, rows] of (hidden_after_layer_first8?.data ?? []).entries())
      rows.forEach((/** @type {number[]} */ values, /** @type {number} */ token) => {
        compareStates(channels(/** @type {Tensor} */ (hiddenStates[layer]), token, 0, 8), values);
      });
    differences.compare('embeddings', MOST.embedding, embeddingOf(lastStates), embedding);
    for (const [layer, { data }] of (recorded ?? []).entries())
      differences.compare('attention', MOST.attention, attentions[layer]?.data ?? [], data);
    if (heads) compareMeasures(differences, MOST.measures, headMeasures, heads);
  }
  const { headMeasures } = await model.run(repeated.ids, { outputs: ['headMeasures'] });
  compareMeasures(differences, MOST.measures, headMeasures, { duplicate: repeated.same });
}

/** @type {import('./native-model.mjs').Compare} */
export async function compareMiniLM(model, report) {
  const differences = new Differences();
  await compareTexts(differences, model);
  /** @param {string} id @param {PositionChange[]} [changes] */
  const embed = async (id, changes = []) => embeddingOf((await model.run(idsOf(id), { outputs: [], changes })).lastHiddenState);
  /** @type {Record<string, PositionChange>} */
  const changesByName = { zeroed: { kind: 'none' }, shifted_by_one: { kind: 'shift', shift: 1 } };
  for (const { change, results } of changes)
    for (const { sentence, cosine: recorded, embedding_first8 } of results) {
      const changedEmbedding = await embed(sentence, [/** @type {PositionChange} */ (changesByName[change])]);
      differences.compare('changed embeddings', MOST.embedding, changedEmbedding.slice(0, 8), embedding_first8);
      differences.compare('changed embeddings', MOST.embedding, [cosine(changedEmbedding, await embed(sentence))], [recorded]);
    }
  const [first, second] = order.sentences;
  differences.compare('order of words', MOST.embedding, [cosine(await embed(first), await embed(second))], [order.cosine]);
  const noPosition = [/** @type {PositionChange} */ ({ kind: 'none' })];
  const similarity = cosine(await embed(first, noPosition), await embed(second, noPosition));
  differences.compare('order of words', MOST.embedding, [similarity], [order.cosine_without_positions]);
  report(differences.rows());
}
