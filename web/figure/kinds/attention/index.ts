import { PhasorError } from '../../../engine/errors/errors.ts';
import type { Tensor } from '../../../engine/index.ts';
import { scaleOf } from '../../../views/color.ts';
import { placed } from '../../../views/compose.ts';
import { extent, largestDifference } from '../../../views/grid.ts';
import { headMapsScene } from '../../../views/head-maps-scene.ts';
import { matrixScene } from '../../../views/matrix-scene.ts';
import { formatNumber, formatRange } from '../../../views/number.ts';
import { choice, type SpecOf } from '../../contract/fields.ts';
import { defineKind } from '../../contract/kind.ts';
import { usedEncoding } from '../../contract/parameters.ts';
import { gridOf, matrixOf } from '../../contract/tensor.ts';
import { headField, headIndex, layerFields, sentenceOrder, sentenceText } from '../../numbers/sentence-fields.ts';
import { placedRows, sentenceInput } from '../../numbers/sentence-input.ts';
import { unmasked } from '../../numbers/unmasked.ts';
import { words } from './words.ts';

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
  colors: choice('linear', 'root'),
};
export type Spec = SpecOf<typeof fields>;
type Shown = Pick<Spec, 'matrix' | 'mask'>;

/** Weights of all heads together, at most: maps of four heads have three words in a pixel then, and of more words they would be slow. */
const MOST_WEIGHTS = 2 ** 19;
/** From this width on, px, the heads stand beside the chosen one. */
const BESIDE = 560;
const GAP = 28;

interface Shifted {
  /** Largest difference of the weights; Infinity where the sentence cannot be shifted. */
  readonly residual: number;
  readonly refused: string | undefined;
}

/** Weights at later positions, or why the encoding has none there: tables that are learned end somewhere. */
async function atLater(layer: () => Promise<{ readonly weights: Tensor }>): Promise<Tensor | string> {
  try {
    return matrixOf((await layer()).weights, 0);
  } catch (thrown) {
    // Anything else fails without the shift too.
    const { code, message } = PhasorError.from(thrown);
    if (code === 'internal' || code === 'cancelled') throw thrown;
    return message;
  }
}

/** The weights of the same words at later positions, compared. */
function shifted(before: Tensor, after: Tensor | string): Shifted {
  if (typeof after === 'string') return { residual: Number.POSITIVE_INFINITY, refused: after };
  return { residual: largestDifference(before.data, after.data), refused: undefined };
}

/** What is seen: masked weights are 0 in tables, but are not drawn as 0. */
function shown({ weights, scores }: { readonly weights: Tensor; readonly scores: Tensor }, { matrix, mask }: Shown): Tensor {
  if (matrix === 'scores') return scores;
  return mask === 'none' ? weights : unmasked(weights, scores);
}

export const kind = defineKind({
  id: 'attention',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  labels: words.labels,
  help: words.help,
  fields,
  aspect: 0.6,
  async compute(spec, means) {
    const { engine } = means;
    const { heads, mask, projections, seed, offset } = spec;
    const input = await sentenceInput(spec, means);
    const embeddings = placedRows(input.x, input.order);
    const head = headIndex(spec);
    const request = {
      x: embeddings,
      heads,
      mask,
      projections,
      seed,
      encoding: usedEncoding(spec.encoding, engine.encodings),
      head,
      output: 'omitted',
    } as const;
    const hasAll = heads > 1 && heads * input.placed.length ** 2 <= MOST_WEIGHTS;
    const asked = hasAll ? { ...request, head: undefined } : request;
    const [layer, after] = await Promise.all([
      engine.layer({ ...asked, offset, want: ['weights', 'scores'] }),
      atLater(() => engine.layer({ ...request, offset: offset + SHIFT, want: ['weights'] })),
    ]);
    const shown = hasAll ? head : 0;
    const weights = matrixOf(layer.weights, shown);
    return {
      words: input.placed,
      embeddings,
      weights,
      scores: matrixOf(layer.scores, shown),
      /** [heads, words, words]; undefined where there would be too many, or there is only one. */
      all: hasAll ? { weights: layer.weights, scores: layer.scores } : undefined,
      shifted: shifted(weights, after),
    };
  },
  scene(numbers, spec, frame) {
    const { matrix, heads, colors } = spec;
    const all = numbers.all && shown(numbers.all, spec);
    const scale = matrix === 'scores' ? 'diverging' : colors === 'root' ? 'root' : 'sequential';
    // One scale for all heads, so that they can be compared.
    const range = all && scaleOf(scale, all.data, frame.theme).domain;
    const isBeside = all !== undefined && frame.width >= BESIDE;
    const side = isBeside ? Math.round((frame.width - GAP) * 0.36) : frame.width;
    const large = matrixScene({
      ...frame,
      width: isBeside ? frame.width - GAP - side : frame.width,
      grid: gridOf(shown(numbers, spec)),
      scale,
      range,
      title: words.titles[matrix],
      quantity: words.quantity[matrix],
      rowAxis: 'query',
      columnAxis: 'key',
      rowLabels: numbers.words,
      columnLabels: numbers.words,
      rowTitle: words.query,
      columnTitle: words.key,
    });
    if (!all || !range) return large;
    const maps = headMapsScene({
      maps: Array.from({ length: heads }, (_, head) => gridOf(all, head)),
      scale,
      range,
      chosen: headIndex(spec),
      title: words.heads,
      headAxis: 'head',
      rowAxis: 'query',
      columnAxis: 'key',
      width: side,
      maxHeight: isBeside ? Math.max(200, large.picture.height) : 150,
      theme: frame.theme,
    });
    const at = isBeside ? { x: frame.width - side, y: 0 } : { x: 0, y: large.picture.height + 16 };
    return placed(
      [
        { scene: large, x: 0, y: 0 },
        { scene: maps, ...at },
      ],
      { title: words.titles[matrix] },
    );
  },
  // A head of another figure's cursor may be one that this one does not have.
  choose: (_, { heads }, { head }) => (head !== undefined && head >= 0 && head < heads ? { head: head + 1 } : undefined),
  actions(_, spec) {
    const { heads } = spec;
    const head = headIndex(spec) + 1;
    if (heads === 1) return [];
    const another = (by: number) => () => ({ head: ((head - 1 + by + heads) % heads) + 1 });
    return [
      { label: words.previousHead, keys: ['[', 'PageUp'], fields: another(-1) },
      { label: words.nextHead, keys: [']', 'PageDown'], fields: another(1) },
    ];
  },
  readout(numbers, spec, { query, key, head }) {
    const pointed = head !== undefined && numbers.all && head >= 0 && head < spec.heads ? head : undefined;
    const index = pointed ?? headIndex(spec);
    const both = numbers.all ?? numbers;
    const { data } = gridOf(shown(both, spec), numbers.all ? index : 0);
    const from = query === undefined ? undefined : numbers.words[query];
    const to = key === undefined ? undefined : numbers.words[key];
    if (from !== undefined && to === undefined) {
      const count = numbers.words.length;
      const { max, argmax } = extent(data.subarray((query as number) * count, ((query as number) + 1) * count));
      const said = words.row(from, numbers.words[argmax] as string, words.quantity[spec.matrix], formatNumber(max));
      return pointed === undefined ? said : words.inHead(pointed + 1, said);
    }
    if (from === undefined || to === undefined) {
      const { min, max } = extent(data);
      return words.range(index + 1, spec.heads, spec.matrix, formatRange(min, max));
    }
    const value = data[(query as number) * numbers.words.length + (key as number)] as number;
    const said = Number.isFinite(value) ? words.cell(from, to, words.quantity[spec.matrix], formatNumber(value)) : words.masked(from, to);
    return pointed === undefined ? said : words.inHead(pointed + 1, said);
  },
  proof({ words: { length }, shifted: { residual, refused } }, { encoding, mask }) {
    const meaning = (): string => {
      if (refused !== undefined) return words.proof.refused(refused);
      if (residual > TOLERANCE) return words.proof.amber;
      // Nothing changes here either, but not because of distances.
      if (length < 2) return words.proof.alone;
      if (encoding.id === 'none') return mask === 'causal' ? words.proof.maskOnly : words.proof.nothing;
      return words.proof.holds;
    };
    return { what: words.proof.what(SHIFT), residual, tolerance: TOLERANCE, source: words.proof.source, meaning: meaning() };
  },
  tables({ weights, scores, embeddings, words: rows }) {
    const axes = { rowTitle: words.query, columnTitle: words.key, rows, columns: rows };
    return [
      { name: 'weights', title: words.titles.weights, tensor: weights, ...axes },
      { name: 'scores', title: words.titles.scores, tensor: scores, ...axes },
      { name: 'embeddings', title: words.embeddings, tensor: embeddings, rowTitle: words.word, columnTitle: words.channel, rows },
    ];
  },
  code: () => import('./code.ts'),
});
