import { PhasorError, type Tensor } from '../../engine/index.ts';
import { identityOrder } from '../../sentence/order.ts';
import { tokenize } from '../../sentence/tokens.ts';
import { extent } from '../../views/grid.ts';
import { matrixScene } from '../../views/matrix-scene.ts';
import { formatNumber, formatRange } from '../../views/number.ts';
import { choice, type SpecOf } from '../fields.ts';
import { defineKind, type Engine } from '../kind.ts';
import { usedEncoding } from '../parameters.ts';
import { headField, headIndex, layerFields, sentenceOrder, sentenceText } from '../sentence-fields.ts';
import { placedRows, sentenceInput } from '../sentence-input.ts';
import { layerCode } from '../take-away/layer-code.ts';
import { gridOf, matrixOf } from '../tensor.ts';
import { words } from './attention-words.ts';

/** How much later the sentence stands in the proof. */
const SHIFT = 16;
/** float32: a weight is at most 1, and its score a sum of rounded products. */
const TOLERANCE = 1e-5;

const fields = {
  text: sentenceText,
  order: sentenceOrder(),
  ...layerFields('rope'),
  head: headField,
  matrix: choice('weights', 'scores'),
};
type Matrix = SpecOf<typeof fields>['matrix'];

interface Shifted {
  /** Largest difference of the weights; Infinity where the sentence cannot be shifted. */
  readonly residual: number;
  readonly refused: string | undefined;
}

/** The weights of the same words at later positions, compared by the core. */
async function shifted(engine: Engine, weights: Tensor, later: () => Promise<{ readonly weights: Tensor }>): Promise<Shifted> {
  try {
    const after = matrixOf((await later()).weights, 0);
    const { maxAbsDiff } = await engine.permutationError({ before: weights, after, order: identityOrder(weights.shape[0] as number) });
    return { residual: maxAbsDiff, refused: undefined };
  } catch (thrown) {
    // Tables that are learned end somewhere. Anything else would have failed before.
    const { code, message } = PhasorError.from(thrown);
    if (code === 'internal' || code === 'cancelled') throw thrown;
    return { residual: Number.POSITIVE_INFINITY, refused: message };
  }
}

/** What is seen: masked weights are 0 in tables, but are not drawn as 0. */
function shown({ weights, scores }: { readonly weights: Tensor; readonly scores: Tensor }, matrix: Matrix): Tensor {
  if (matrix === 'scores') return scores;
  return { ...weights, data: weights.data.map((weight, pair) => (Number.isFinite(scores.data[pair]) ? weight : Number.NaN)) };
}

export const kind = defineKind({
  id: 'attention',
  question: words.question,
  caption: words.caption,
  fields,
  aspect: 0.6,
  async compute(spec, means) {
    const { engine } = means;
    const { heads, mask, projections, seed, offset } = spec;
    const input = await sentenceInput(spec, means);
    const embeddings = placedRows(input.x, input.order);
    const head = headIndex(spec);
    const request = { x: embeddings, heads, mask, projections, seed, encoding: usedEncoding(spec.encoding, engine.encodings), head };
    const layer = await engine.layer({ ...request, offset, want: ['weights', 'scores'] });
    const weights = matrixOf(layer.weights, 0);
    return {
      words: input.placed,
      embeddings,
      weights,
      scores: matrixOf(layer.scores, 0),
      shifted: await shifted(engine, weights, () => engine.layer({ ...request, offset: offset + SHIFT, want: ['weights'] })),
    };
  },
  scene(numbers, { matrix }, frame) {
    return matrixScene({
      ...frame,
      grid: gridOf(shown(numbers, matrix)),
      scale: matrix === 'weights' ? 'sequential' : 'diverging',
      title: words.titles[matrix],
      quantity: words.quantity[matrix],
      rowAxis: 'query',
      columnAxis: 'key',
      rowLabels: numbers.words,
      columnLabels: numbers.words,
      rowTitle: words.query,
      columnTitle: words.key,
    });
  },
  readout(numbers, spec, { query, key }) {
    const { data } = shown(numbers, spec.matrix);
    const from = query === undefined ? undefined : numbers.words[query];
    const to = key === undefined ? undefined : numbers.words[key];
    if (from === undefined || to === undefined) {
      const { min, max } = extent(data);
      return words.range(headIndex(spec) + 1, spec.heads, spec.matrix, formatRange(min, max));
    }
    const value = data[(query as number) * numbers.words.length + (key as number)] as number;
    return Number.isFinite(value) ? words.cell(from, to, words.quantity[spec.matrix], formatNumber(value)) : words.masked(from, to);
  },
  proof({ shifted: { residual, refused } }) {
    const meaning = refused === undefined ? (residual <= TOLERANCE ? words.proof.holds : words.proof.amber) : words.proof.refused(refused);
    return { what: words.proof.what(SHIFT), residual, tolerance: TOLERANCE, source: words.proof.source, meaning };
  },
  tables({ weights, scores, embeddings, words: placed }) {
    const axes = { rowTitle: words.query, columnTitle: words.key, rows: placed, columns: placed };
    return [
      { name: 'weights', title: words.titles.weights, tensor: weights, ...axes },
      { name: 'scores', title: words.titles.scores, tensor: scores, ...axes },
      { name: 'embeddings', title: words.embeddings, tensor: embeddings, rowTitle: words.word, columnTitle: words.channel, rows: placed },
    ];
  },
  code(spec, encodings, numbers) {
    const { numpy, pytorch, phasor, request } = layerCode(spec, encodings, tokenize(spec.text).length, numbers?.embeddings);
    const head = headIndex(spec);
    const chosen = `scores, weights = (each[${head}] for each in layer(embeddings)[:2])\n`;
    return {
      numpy: numpy + chosen,
      pytorch: pytorch + chosen,
      phasor: `${phasor}// [1, words, words] each: the head that is asked for.
const { scores, weights } = phasor.layer({ x: embeddings, ${request}, head: ${head}, want: ['scores', 'weights'] });
`,
    };
  },
});
