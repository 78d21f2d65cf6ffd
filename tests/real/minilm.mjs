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
const idsOf = (id) => cases.find((/** @type {{ id: string }} */ one) => one.id === id).ids;

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

/** @param {Differences} found @param {ComparedModel} model */
async function compareTexts(found, model) {
  for (const { ids, hidden, hidden_after_layer_first8, embedding, attentions: recorded, heads } of cases) {
    const { hiddenStates, attentions, headMeasures } = await model.run(ids, { outputs: ['hiddenStates', 'attentions', 'headMeasures'] });
    const last = /** @type {Tensor} */ (hiddenStates.at(-1));
    const size = last.shape[1] ?? 0;
    /** @param {Tensor} states @param {number} token @param {number} from @param {number} to */
    const channels = ({ data }, token, from, to) => Array.from(data.slice(token * size + from, token * size + to));
    /** @param {ArrayLike<number>} got @param {number[]} values */
    const compareStates = (got, values) => found.compare('hidden states', MOST.states, got, values, true);
    for (let token = 0; token < ids.length; token++) {
      compareStates(channels(last, token, 0, 8), hidden.first8[token]);
      compareStates(channels(last, token, size - 8, size), hidden.last8[token]);
      compareStates([Math.hypot(...channels(last, token, 0, size))], [hidden.norm[token]]);
    }
    for (const [token, values] of Object.entries(hidden.full))
      compareStates(channels(last, Number(token), 0, size), /** @type {number[]} */ (values));
    for (const [layer, rows] of (hidden_after_layer_first8?.data ?? []).entries())
      rows.forEach((/** @type {number[]} */ values, /** @type {number} */ token) => {
        compareStates(channels(/** @type {Tensor} */ (hiddenStates[layer]), token, 0, 8), values);
      });
    found.compare('embeddings', MOST.embedding, embeddingOf(last), embedding);
    for (const [layer, { data }] of (recorded ?? []).entries())
      found.compare('attention', MOST.attention, attentions[layer]?.data ?? [], data);
    if (heads) compareMeasures(found, MOST.measures, headMeasures, heads);
  }
  const { headMeasures } = await model.run(repeated.ids, { outputs: ['headMeasures'] });
  compareMeasures(found, MOST.measures, headMeasures, { duplicate: repeated.same });
}

/** @type {import('./native-model.mjs').Compare} */
export async function compareMiniLM(model, report) {
  const found = new Differences();
  await compareTexts(found, model);
  /** @param {string} id @param {PositionChange[]} [all] */
  const embedded = async (id, all = []) => embeddingOf((await model.run(idsOf(id), { outputs: [], changes: all })).lastHiddenState);
  /** @type {Record<string, PositionChange>} */
  const known = { zeroed: { kind: 'none' }, shifted_by_one: { kind: 'shift', shift: 1 } };
  for (const { change, results } of changes)
    for (const { sentence, cosine: recorded, embedding_first8 } of results) {
      const changed = await embedded(sentence, [/** @type {PositionChange} */ (known[change])]);
      found.compare('changed embeddings', MOST.embedding, changed.slice(0, 8), embedding_first8);
      found.compare('changed embeddings', MOST.embedding, [cosine(changed, await embedded(sentence))], [recorded]);
    }
  const [one, other] = order.sentences;
  found.compare('order of words', MOST.embedding, [cosine(await embedded(one), await embedded(other))], [order.cosine]);
  const without = [/** @type {PositionChange} */ ({ kind: 'none' })];
  const alike = cosine(await embedded(one, without), await embedded(other, without));
  found.compare('order of words', MOST.embedding, [alike], [order.cosine_without_positions]);
  report(found.rows());
}
