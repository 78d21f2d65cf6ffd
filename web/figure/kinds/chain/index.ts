import { chainScene, type Stage } from '../../../charts/chain-scene.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber } from '../../../charts/number.ts';
import type { ScoreChain, Tensor } from '../../../engine/index.ts';
import { headField, headIndex, layerFields, sentenceOrder, sentenceText } from '../../compute/sentence-fields.ts';
import { placedRows, sentenceInput } from '../../compute/sentence-input.ts';
import { count, type SpecOf } from '../../contract/fields.ts';
import { defineKind, type Engine, makeProof } from '../../contract/kind.ts';
import { usedEncoding } from '../../contract/parameters.ts';
import { queryOf } from './query.ts';
import { words } from './strings.ts';

/** float32: a weight is at most 1, and its score a sum of rounded products. */
const TOLERANCE = 1e-5;
/** Of shorter sentences all rows are computed, so that the cursor can choose one; of longer ones only that of the spec. */
const ALL_ROWS = 24;

// Queries and keys are the embeddings: the core does not hand out what its projections make of them.
const { projections: _projections, seed: _seed, ...layer } = layerFields('alibi');
const fields = {
  text: sentenceText,
  order: sentenceOrder(),
  ...layer,
  head: headField,
  query: count(3, 0, 511),
};
export type Spec = SpecOf<typeof fields>;

const STEPS = ['product', 'scaled', 'bias', 'score', 'exponential', 'weight'] as const;

interface Numbers {
  readonly words: readonly string[];
  /** [words, width] */
  readonly embeddings: Tensor;
  /** By query; those that were not computed are undefined. */
  readonly chains: readonly (ScoreChain | undefined)[];
  readonly query: number;
}

/** The embeddings after a table has been added to them, where the encoding is one. */
async function entered(engine: Engine, x: Tensor, { offset, ...spec }: Spec): Promise<{ readonly x: Tensor; readonly isAdded: boolean }> {
  const encoding = usedEncoding(spec.encoding, engine.encodings);
  if (engine.encodings.find(({ id }) => id === encoding.id)?.injection !== 'input') return { x, isAdded: false };
  const [length = 1, width = 1] = x.shape;
  return { x: await engine.combine({ x, table: await engine.table({ encoding, length, width, offset }) }), isAdded: true };
}

function stagesOf(chain: ScoreChain, { mask }: Spec): readonly Stage[] {
  const { notes } = words;
  const rounded = (value: number): string => formatNumber(value);
  const note = {
    product: notes.product,
    scaled: notes.scaled(rounded(chain.scale)),
    bias: notes.bias,
    score: notes.score(mask),
    exponential: notes.exponential(rounded(chain.rowMax)).replace('− −', '+ '),
    weight: notes.weight(rounded(chain.rowSum)),
  };
  return STEPS.map((step) => ({
    name: words.stages[step],
    note: note[step],
    scale: step === 'exponential' || step === 'weight' ? 'sequential' : 'diverging',
    // A masked weight is 0 in tables, but is not drawn as 0.
    data:
      step === 'exponential' || step === 'weight'
        ? chain[step].data.map((value, key) => (Number.isFinite(chain.score.data[key]) ? value : Number.NaN))
        : chain[step].data,
  }));
}

const best = ({ weight }: ScoreChain): number => extent(weight.data).argmax;

export const kind = defineKind({
  id: 'chain',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  fields,
  aspect: 0.5,
  async compute(spec, means): Promise<Numbers> {
    const { engine } = means;
    const { heads, mask, offset, width } = spec;
    const input = await sentenceInput(spec, means);
    const embeddings = placedRows(input.x, input.order);
    const { x, isAdded } = await entered(engine, embeddings, spec);
    const length = input.placed.length;
    const head = headIndex(spec);
    const query = queryOf(spec, length);
    // The core refuses heads that do not divide the width, in the words of a layer.
    if (width % heads !== 0) await engine.layer({ x: embeddings, heads });
    const each = width / heads;
    const q = { shape: [heads, length, each], data: x.data, strides: [each, width, 1] };
    const positions = Array.from({ length }, (_, place) => offset + place);
    const encoding = isAdded ? 'none' : usedEncoding(spec.encoding, engine.encodings);
    const request = { q, k: q, encoding, mask, head, queryPositions: positions, keyPositions: positions };
    const chains: (ScoreChain | undefined)[] = [];
    for (let row = 0; row < length; row++) {
      chains.push(row === query || length <= ALL_ROWS ? await engine.scoreChain({ ...request, query: row }) : undefined);
    }
    return { words: input.placed, embeddings, chains, query };
  },
  scene({ words: placed, chains, query }, spec, frame) {
    const chain = chains[query] as ScoreChain;
    const most = best(chain);
    const name = placed[query] as string;
    return chainScene({
      width: frame.width,
      maxHeight: frame.maxHeight,
      theme: frame.theme,
      rows: chains.map((one) => one && stagesOf(one, spec)),
      rowLabels: placed.map((word) => `“${word}”`),
      row: query,
      columnLabels: placed,
      rowAxis: 'query',
      columnAxis: 'key',
      rowTitle: words.query,
      columnTitle: words.key,
      title: words.title(name),
      description: words.description(name, placed.length, placed[most] as string, formatNumber(entryAt(chain.weight.data, most))),
      masked: words.masked,
    });
  },
  readout({ words: placed, chains, query }, _spec, cursor) {
    const row = cursor.query !== undefined && chains[cursor.query] ? cursor.query : query;
    const chain = chains[row] as ScoreChain;
    const from = placed[row] as string;
    const { key } = cursor;
    const at = (step: (typeof STEPS)[number], key: number): string => formatNumber(entryAt(chain[step].data, key));
    if (!isIndex(key, placed.length)) {
      const most = best(chain);
      const sums = [chain.scale, chain.rowMax, chain.rowSum].map((value) => formatNumber(value)) as [string, string, string];
      return words.row(from, placed[most] as string, at('weight', most), ...sums);
    }
    const to = entryAt(placed, key);
    if (!Number.isFinite(chain.score.data[key])) return words.hidden(from, to, at('product', key));
    const [product, scaled, bias, score, exponential, weight] = STEPS.map((step) => at(step, key)) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return words.cell(from, to, product, scaled, bias, score, exponential, weight);
  },
  proof: ({ chains }) => makeProof(words.proof, Math.max(...chains.map((chain) => chain?.maxAbsDiff ?? 0)), TOLERANCE),
  tables({ words: placed, chains, query, embeddings }) {
    const chain = chains[query] as ScoreChain;
    const data = Float32Array.from(STEPS.flatMap((step) => Array.from(chain[step].data)));
    return [
      {
        name: 'chain',
        title: words.table,
        tensor: { shape: [STEPS.length, placed.length], data },
        rowTitle: words.stage,
        columnTitle: words.key,
        rows: STEPS.map((step) => words.stages[step]),
        columns: placed,
      },
      { name: 'embeddings', title: words.embeddings, tensor: embeddings, rowTitle: words.word, columnTitle: words.channel, rows: placed },
    ];
  },
  code: () => import('./code.ts'),
});
