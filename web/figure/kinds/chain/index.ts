import { chainScene, type Stage } from '../../../charts/chain/chain-scene.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber } from '../../../charts/number.ts';
import { explainSoftmax } from '../../../engine/analysis.ts';
import type { SoftmaxExplanation, Tensor } from '../../../engine/index.ts';
import { reorderRows } from '../../compute/seeded-order.ts';
import { clampHeadIndex, createLayerFields, createOrderField, headField, sentenceField } from '../../compute/sentence-fields.ts';
import { createSentenceInput } from '../../compute/sentence-input.ts';
import { count, type SpecOf } from '../../contract/fields.ts';
import { defineKind, type Engine, makeProof } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { clampQuery } from './query.ts';
import { strings } from './strings.ts';

/** Tolerance for float32 rounding in weights and scores. */
const TOLERANCE = 1e-5;
/** Maximum number of words for which all rows are computed. In longer sentences, only the selected row is computed. */
const MAX_WORDS_ALL_ROWS = 24;

// Omits the projection fields: queries and keys are the embeddings, because the core does not return projections.
const { projections: _projections, seed: _seed, ...layerFields } = createLayerFields('alibi');
const fields = {
  text: sentenceField,
  order: createOrderField(),
  ...layerFields,
  head: headField,
  query: count(3, 0, 511),
};
export type Spec = SpecOf<typeof fields>;

const STEPS = ['product', 'scaled', 'bias', 'score', 'exponential', 'weight'] as const;

interface Results {
  readonly words: readonly string[];
  /** [words, dim] */
  readonly embeddings: Tensor;
  /** The steps of the softmax, by query. Undefined where not computed. */
  readonly chains: readonly (SoftmaxExplanation | undefined)[];
  readonly query: number;
}

/** Returns the embeddings. If the encoding is added to the input, adds the position table to them. */
async function createLayerInput(
  engine: Engine,
  x: Tensor,
  { positionOffset, ...spec }: Spec,
): Promise<{ readonly x: Tensor; readonly isAdded: boolean }> {
  const encoding = withUsedParams(spec.encoding, engine.encodings);
  if (engine.encodings.find(({ id }) => id === encoding.id)?.injection !== 'input') return { x, isAdded: false };
  const [length = 1, dim = 1] = x.shape;
  return {
    x: await engine.combine({ x, table: await engine.positionTable({ encoding, length, dim, positionOffset }) }),
    isAdded: true,
  };
}

function createStages(chain: SoftmaxExplanation, { mask }: Spec): readonly Stage[] {
  const { stepNotes } = strings;
  const formatValue = (value: number): string => formatNumber(value);
  const note = {
    product: stepNotes.product,
    scaled: stepNotes.scaled(formatValue(chain.scale)),
    bias: stepNotes.bias,
    score: stepNotes.score(mask),
    exponential: stepNotes.exponential(formatValue(chain.rowMax)).replace('− −', '+ '),
    weight: stepNotes.weight(formatValue(chain.rowSum)),
  };
  return STEPS.map((step) => ({
    name: strings.stepNames[step],
    note: note[step],
    scale: step === 'exponential' || step === 'weight' ? 'sequential' : 'diverging',
    // Masked weights are 0 in tables, but NaN here, so that they are not drawn as 0.
    data:
      step === 'exponential' || step === 'weight'
        ? chain[step].data.map((value, key) => (Number.isFinite(chain.score.data[key]) ? value : Number.NaN))
        : chain[step].data,
  }));
}

const findStrongestKey = ({ weight }: SoftmaxExplanation): number => extent(weight.data).argmax;

export const kind = defineKind({
  id: 'chain',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  fields,
  aspect: 0.5,
  async compute(spec, context): Promise<Results> {
    const { engine } = context;
    const { heads, mask, positionOffset, dim } = spec;
    const input = await createSentenceInput(spec, context);
    const embeddings = reorderRows(input.x, input.order);
    const { x, isAdded } = await createLayerInput(engine, embeddings, spec);
    const length = input.placedWords.length;
    const head = clampHeadIndex(spec);
    const query = clampQuery(spec, length);
    // Calls selfAttention for its error message if `dim` is not divisible by `heads`.
    if (dim % heads !== 0) await engine.selfAttention({ x: embeddings, heads });
    const headDim = dim / heads;
    const q = { shape: [heads, length, headDim], data: x.data, strides: [headDim, dim, 1] };
    const positions = Array.from({ length }, (_, position) => positionOffset + position);
    const encoding = isAdded ? 'none' : withUsedParams(spec.encoding, engine.encodings);
    const request = { q, k: q, encoding, mask, head, queryPositions: positions, keyPositions: positions };
    const chains: (SoftmaxExplanation | undefined)[] = [];
    for (let row = 0; row < length; row++) {
      chains.push(row === query || length <= MAX_WORDS_ALL_ROWS ? await explainSoftmax(engine, { ...request, query: row }) : undefined);
    }
    return { words: input.placedWords, embeddings, chains, query };
  },
  scene({ words, chains, query }, spec, frame) {
    const chain = chains[query] as SoftmaxExplanation;
    const strongestKey = findStrongestKey(chain);
    const queryWord = words[query] as string;
    return chainScene({
      width: frame.width,
      maxHeight: frame.maxHeight,
      theme: frame.theme,
      rows: chains.map((rowChain) => rowChain && createStages(rowChain, spec)),
      rowLabels: words.map((word) => `“${word}”`),
      row: query,
      columnLabels: words,
      rowAxis: 'query',
      columnAxis: 'key',
      rowTitle: strings.query,
      columnTitle: strings.key,
      title: strings.chainTitle(queryWord),
      description: strings.description(
        queryWord,
        words.length,
        words[strongestKey] as string,
        formatNumber(entryAt(chain.weight.data, strongestKey)),
      ),
      masked: strings.maskedLabel,
    });
  },
  readout({ words, chains, query }, _spec, cursor) {
    const row = cursor.query !== undefined && chains[cursor.query] ? cursor.query : query;
    const chain = chains[row] as SoftmaxExplanation;
    const queryWord = words[row] as string;
    const { key } = cursor;
    const valueText = (step: (typeof STEPS)[number], key: number): string => formatNumber(entryAt(chain[step].data, key));
    if (!isIndex(key, words.length)) {
      const strongestKey = findStrongestKey(chain);
      const statTexts = [chain.scale, chain.rowMax, chain.rowSum].map((value) => formatNumber(value)) as [string, string, string];
      return strings.rowReadout(queryWord, words[strongestKey] as string, valueText('weight', strongestKey), ...statTexts);
    }
    const keyWord = entryAt(words, key);
    if (!Number.isFinite(chain.score.data[key])) return strings.maskedReadout(queryWord, keyWord, valueText('product', key));
    const [product, scaled, bias, score, exponential, weight] = STEPS.map((step) => valueText(step, key)) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return strings.keyReadout(queryWord, keyWord, product, scaled, bias, score, exponential, weight);
  },
  proof: ({ chains }) => makeProof(strings.proof, Math.max(...chains.map((chain) => chain?.maxAbsDiff ?? 0)), TOLERANCE),
  tables({ words, chains, query, embeddings }) {
    const chain = chains[query] as SoftmaxExplanation;
    const data = Float32Array.from(STEPS.flatMap((step) => Array.from(chain[step].data)));
    return [
      {
        name: 'chain',
        title: strings.tableTitle,
        tensor: { shape: [STEPS.length, words.length], data },
        rowTitle: strings.stepTitle,
        columnTitle: strings.key,
        rows: STEPS.map((step) => strings.stepNames[step]),
        columns: words,
      },
      {
        name: 'embeddings',
        title: strings.embeddingsTitle,
        tensor: embeddings,
        rowTitle: strings.word,
        columnTitle: strings.channel,
        rows: words,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
