import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { headField, headIndex, layerFields, sentenceOrder, sentenceText } from '../../compute/sentence-fields.ts';
import { placedRows, sentenceInput } from '../../compute/sentence-input.ts';
import { choice, FieldError, numbers as list, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { gridOf } from '../../contract/tensor.ts';
import { attended, constantGate } from './compute.ts';
import { gatesScene } from './scene.ts';
import { proofs, selectiveStrings, strings, wordsOf } from './strings.ts';

/**
 * The common gate of all words: that of the first method has a slope near ALiBi's for a middle head of eight; that of the second is
 * position interpolation by 2.
 */
const COMMON_GATE = { forgetting: 0.8, rope_selective: 0.5 };

function checkGates(gates: readonly number[]): void {
  const wrong = gates.find((gate) => !(gate >= 0 && gate <= 1));
  if (wrong !== undefined) throw new FieldError(strings.wrong(wrong));
}

const { heads, dim } = layerFields('forgetting');
const fields = {
  text: { ...sentenceText, initial: 'the cat slept . a dog' },
  order: sentenceOrder(),
  /** Gates by word in the original order; missing ones are 1, and additional ones belong to a longer sentence. */
  gates: list([1, 1, 1, 0.1, 1, 1], checkGates),
  scores: choice('equal', 'words'),
  method: choice('forgetting', 'rope_selective'),
  heads,
  head: headField,
  dim,
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'gates',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  aspect: 0.8,
  async compute(spec, means) {
    const { engine } = means;
    const { words: written, placed, order, x } = await sentenceInput(spec, means);
    const embeddings = placedRows(x, order);
    // The core rejects heads that do not divide embedDim with the message of a layer.
    if (spec.dim % spec.heads !== 0) await engine.selfAttention({ x: embeddings, heads: spec.heads });
    const each = spec.dim / spec.heads;
    const from = headIndex(spec) * each;
    // Zero vectors have equal scores; rotated vectors need a length.
    const own = new Float32Array(placed.length * each).fill(spec.method === 'forgetting' ? 0 : 1);
    if (spec.scores === 'words') {
      for (let position = 0; position < placed.length; position++)
        own.set(embeddings.data.subarray(position * spec.dim + from, position * spec.dim + from + each), position * each);
    }
    const ofWord = written.map((_, word) => spec.gates[word] ?? 1);
    const gates = order.map((word) => entryAt(ofWord, word));
    const provided = { x: { shape: [placed.length, each], data: own }, gates };
    const found =
      spec.method === 'forgetting' ? await attended(provided, engine) : await (await import('./selective.ts')).rotated(provided, engine);
    return { words: placed, order, ofWord, gates, embeddings, ...found };
  },
  scene({ words: labels, gates, weights }, { method }, frame) {
    const grid = gridOf(weights);
    // The weight of a later word is 0 in tables, but is not drawn as 0.
    const data = grid.data.map((weight, at) => (at % grid.columns > Math.floor(at / grid.columns) ? Number.NaN : weight));
    return gatesScene({ ...frame, words: labels, grid: { ...grid, data }, gates, methodStrings: wordsOf[method] });
  },
  dragging: {
    field: 'gates',
    fields({ order, ofWord }, _, { gate }, value) {
      const word = gate === undefined || gate === 0 ? undefined : order[gate];
      if (word === undefined) return undefined;
      const set = Math.round(100 * Math.min(1, Math.max(0, value))) / 100;
      return { gates: ofWord.map((before, at) => (at === word ? set : before)) };
    },
    hint: () => strings.drag,
  },
  actions({ ofWord, gates }, { method }) {
    const constant = constantGate(gates);
    const { open, same } = wordsOf[method];
    const all = (gate: number) => ({ fields: () => ({ gates: ofWord.map(() => gate) }), disabled: constant === gate });
    return [
      { label: open, ...all(1) },
      { label: same(COMMON_GATE[method]), ...all(COMMON_GATE[method]) },
    ];
  },
  readout({ words: labels, gates, weights, between }, { method }, { query, key, gate }) {
    const of = wordsOf[method];
    const name = (location: number | undefined): string | undefined => (location === undefined ? undefined : labels[location]);
    const own = gate === undefined ? undefined : gates[gate];
    if (gate !== undefined && own !== undefined) {
      const word = name(gate) as string;
      if (gate === 0) return of.at.first(word);
      if (own === 1) return of.at.open(word);
      return own === 0 ? of.at.closed(word) : of.at.between(word, formatNumber(own));
    }
    const count = labels.length;
    const [from, to] = [name(query), name(key)];
    if (query === undefined || from === undefined || (key !== undefined && to === undefined)) {
      const constant = constantGate(gates);
      const [all, each] = [extent(weights.data), extent(gates)];
      const sentence = constant === undefined ? '' : of.constant(constant);
      if (sentence) return sentence.replace(/^all/, 'All');
      return strings.range(formatRange(all.min, all.max), formatRange(each.min, each.max));
    }
    if (key === undefined || to === undefined) {
      const { max, argmax } = extent(weights.data.subarray(query * count, (query + 1) * count));
      return strings.row(from, name(argmax) as string, formatNumber(max));
    }
    if (key > query) return strings.masked(from, to);
    const cellText = strings.cell(from, to, formatNumber(entryAt(weights.data, query * count + key)));
    const sum = entryAt(between.data, query * count + key);
    if (method === 'rope_selective') return key === query ? cellText : selectiveStrings.counted(cellText, formatNumber(sum));
    const factor = Math.exp(sum);
    return factor === 1 ? cellText : strings.times(cellText, formatNumber(factor));
  },
  proof: ({ compared: { as, residual, tolerance } }) => makeProof(proofs[as], residual, tolerance),
  tables({ weights, gates, between, embeddings, words: rows }, { method }) {
    const axes = { rowTitle: strings.query, columnTitle: strings.key, rows, columns: rows };
    return [
      { name: 'weights', title: strings.titles.weights, tensor: weights, ...axes },
      {
        name: 'gates',
        title: strings.titles.gates,
        tensor: { shape: [gates.length], data: Float32Array.from(gates) },
        rowTitle: strings.word,
        columnTitle: strings.gate,
        rows,
      },
      { name: method === 'forgetting' ? 'decay' : 'distance', title: wordsOf[method].between, tensor: between, ...axes },
      {
        name: 'embeddings',
        title: strings.titles.embeddings,
        tensor: embeddings,
        rowTitle: strings.word,
        columnTitle: strings.channel,
        rows,
      },
    ];
  },
  code: () => import('./code.ts'),
});
