import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { reorderRows } from '../../compute/seeded-order.ts';
import { clampHeadIndex, createLayerFields, createOrderField, headField, sentenceField } from '../../compute/sentence-fields.ts';
import { createSentenceInput } from '../../compute/sentence-input.ts';
import { choice, FieldError, numbers as list, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { attendWithGates, findCommonGate } from './compute.ts';
import { gatesScene } from './scene.ts';
import { METHOD_STRINGS, proofs, selectiveStrings, strings } from './strings.ts';

/**
 * The value to which a button sets all gates. In the Forgetting Transformer, 0.8 is equivalent to ALiBi with a slope of
 * 0.22. In Selective RoPE, 0.5 halves all distances, like position interpolation with a factor of 2.
 */
const COMMON_GATE = { forgetting: 0.8, rope_selective: 0.5 };

function checkGates(gates: readonly number[]): void {
  const invalidGate = gates.find((gate) => !(gate >= 0 && gate <= 1));
  if (invalidGate !== undefined) throw new FieldError(strings.gateOutOfRange(invalidGate));
}

const { heads, dim } = createLayerFields('forgetting');
const fields = {
  text: { ...sentenceField, initial: 'the cat slept . a dog' },
  order: createOrderField(),
  /** One gate per word, in the original order. Missing gates default to 1. Extra gates are kept for longer sentences. */
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
  async compute(spec, context) {
    const { engine } = context;
    const { words: originalWords, placedWords, order, x } = await createSentenceInput(spec, context);
    const embeddings = reorderRows(x, order);
    // If dim is not divisible by heads, selfAttention rejects with an error that says so.
    if (spec.dim % spec.heads !== 0) await engine.selfAttention({ x: embeddings, heads: spec.heads });
    const headDim = spec.dim / spec.heads;
    const firstChannel = clampHeadIndex(spec) * headDim;
    // For equal scores, the Forgetting Transformer uses zero vectors. Selective RoPE uses vectors of ones, because
    // rotating a zero vector has no effect.
    const vectors = new Float32Array(placedWords.length * headDim).fill(spec.method === 'forgetting' ? 0 : 1);
    if (spec.scores === 'words') {
      for (let position = 0; position < placedWords.length; position++)
        vectors.set(
          embeddings.data.subarray(position * spec.dim + firstChannel, position * spec.dim + firstChannel + headDim),
          position * headDim,
        );
    }
    const wordGates = originalWords.map((_, word) => spec.gates[word] ?? 1);
    const gates = order.map((word) => entryAt(wordGates, word));
    const headInput = { x: { shape: [placedWords.length, headDim], data: vectors }, gates };
    const result =
      spec.method === 'forgetting'
        ? await attendWithGates(headInput, engine)
        : await (await import('./selective.ts')).attendWithSelectiveRope(headInput, engine);
    return { words: placedWords, order, wordGates, gates, embeddings, ...result };
  },
  scene({ words: labels, gates, weights }, { method }, frame) {
    const grid = toGrid(weights);
    // Leaves the cells of masked keys empty instead of drawing them as 0.
    const data = grid.data.map((weight, index) => (index % grid.columns > Math.floor(index / grid.columns) ? Number.NaN : weight));
    return gatesScene({ ...frame, words: labels, grid: { ...grid, data }, gates, methodStrings: METHOD_STRINGS[method] });
  },
  dragging: {
    field: 'gates',
    fields({ order, wordGates }, _, { gate }, value) {
      const word = gate === undefined || gate === 0 ? undefined : order[gate];
      if (word === undefined) return undefined;
      const newGate = Math.round(100 * Math.min(1, Math.max(0, value))) / 100;
      return { gates: wordGates.map((oldGate, index) => (index === word ? newGate : oldGate)) };
    },
    hint: () => strings.dragHint,
  },
  actions({ wordGates, gates }, { method }) {
    const commonGate = findCommonGate(gates);
    const { openAllGates, setGatesTo } = METHOD_STRINGS[method];
    const setAllGates = (gate: number) => ({ fields: () => ({ gates: wordGates.map(() => gate) }), disabled: commonGate === gate });
    return [
      { label: openAllGates, ...setAllGates(1) },
      { label: setGatesTo(COMMON_GATE[method]), ...setAllGates(COMMON_GATE[method]) },
    ];
  },
  readout({ words: labels, gates, weights, gateEffects }, { method }, { query, key, gate }) {
    const methodStrings = METHOD_STRINGS[method];
    const getWord = (position: number | undefined): string | undefined => (position === undefined ? undefined : labels[position]);
    const pointedGate = gate === undefined ? undefined : gates[gate];
    if (gate !== undefined && pointedGate !== undefined) {
      const word = getWord(gate) as string;
      if (gate === 0) return methodStrings.gateReadout.firstWord(word);
      if (pointedGate === 1) return methodStrings.gateReadout.openGate(word);
      return pointedGate === 0
        ? methodStrings.gateReadout.closedGate(word)
        : methodStrings.gateReadout.partialGate(word, formatNumber(pointedGate));
    }
    const wordCount = labels.length;
    const [queryName, keyName] = [getWord(query), getWord(key)];
    if (query === undefined || queryName === undefined || (key !== undefined && keyName === undefined)) {
      const commonGate = findCommonGate(gates);
      const [weightRange, gateRange] = [extent(weights.data), extent(gates)];
      const sentence = commonGate === undefined ? '' : methodStrings.equalGatesNote(commonGate);
      if (sentence) return sentence.replace(/^all/, 'All');
      return strings.rangeReadout(formatRange(weightRange.min, weightRange.max), formatRange(gateRange.min, gateRange.max));
    }
    if (key === undefined || keyName === undefined) {
      const { max, argmax } = extent(weights.data.subarray(query * wordCount, (query + 1) * wordCount));
      return strings.rowReadout(queryName, getWord(argmax) as string, formatNumber(max));
    }
    if (key > query) return strings.maskedReadout(queryName, keyName);
    const cellText = strings.cellReadout(queryName, keyName, formatNumber(entryAt(weights.data, query * wordCount + key)));
    const sum = entryAt(gateEffects.data, query * wordCount + key);
    if (method === 'rope_selective') return key === query ? cellText : selectiveStrings.withStepSum(cellText, formatNumber(sum));
    const factor = Math.exp(sum);
    return factor === 1 ? cellText : strings.withGateFactor(cellText, formatNumber(factor));
  },
  proof: ({ comparison: { comparisonKind, residual, tolerance } }) => makeProof(proofs[comparisonKind], residual, tolerance),
  tables({ weights, gates, gateEffects, embeddings, words: rows }, { method }) {
    const axes = { rowTitle: strings.query, columnTitle: strings.key, rows, columns: rows };
    return [
      { name: 'weights', title: strings.tableTitles.weights, tensor: weights, ...axes },
      {
        name: 'gates',
        title: strings.tableTitles.gates,
        tensor: { shape: [gates.length], data: Float32Array.from(gates) },
        rowTitle: strings.word,
        columnTitle: strings.gate,
        rows,
      },
      {
        name: method === 'forgetting' ? 'decay' : 'distance',
        title: METHOD_STRINGS[method].gateEffectsTitle,
        tensor: gateEffects,
        ...axes,
      },
      {
        name: 'embeddings',
        title: strings.tableTitles.embeddings,
        tensor: embeddings,
        rowTitle: strings.word,
        columnTitle: strings.channel,
        rows,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
