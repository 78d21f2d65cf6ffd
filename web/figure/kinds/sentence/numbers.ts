// The numbers of a sentence in a layer: weights of one head, what the encoding adds, and how far outputs moved.
import type { Injection, Tensor, Want } from '../../../engine/index.ts';
import { type Addition, addition, addsToScores } from '../../../sentence/addition.ts';
import type { Order } from '../../../sentence/order.ts';
import type { Grid } from '../../../views/grid.ts';
import { flag, type SpecOf } from '../../contract/fields.ts';
import type { Means } from '../../contract/kind.ts';
import { usedEncoding } from '../../contract/parameters.ts';
import { gridOf, matrixOf } from '../../contract/tensor.ts';
import { changeTrial, type Trial } from '../../numbers/output-proof.ts';
import { headField, headIndex, layerFields, sentenceOrder, sentenceText } from '../../numbers/sentence-fields.ts';
import { placedRows, sentenceInput } from '../../numbers/sentence-input.ts';
import { unmasked } from '../../numbers/unmasked.ts';
import { words } from './words.ts';

export const fields = {
  text: sentenceText,
  order: sentenceOrder(),
  ...layerFields('sinusoidal'),
  head: headField,
  /** Whether the clocks of a position stand below, for encodings that are made of waves. */
  clocks: flag(true),
};
export type Spec = SpecOf<typeof fields>;

/** What the picture shows. */
export interface Pictured {
  /** As written; elsewhere a word is its index here. */
  readonly words: readonly string[];
  readonly known: readonly boolean[];
  readonly order: Order;
  /** The words by place. */
  readonly placed: readonly string[];
  /** [words, width], by place. */
  readonly embeddings: Tensor;
  /** [words, words], by place; NaN where masked. */
  readonly weights: Tensor;
  /** The id of the encoding. */
  readonly encoding: string;
  readonly injection: Injection;
  readonly addition: Addition;
  /** Why words may be unknown that are in the vocabulary, as a sentence. */
  readonly problem: string | undefined;
}

export interface Numbers extends Pictured {
  readonly trial: Trial;
}

export async function sentenceNumbers(spec: Spec, means: Means): Promise<Numbers> {
  const { engine } = means;
  const { heads, mask, projections, seed, offset, width } = spec;
  const { words: written, known, order, placed, x, problem } = await sentenceInput(spec, means);
  const encoding = usedEncoding(spec.encoding, engine.encodings);
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  const isMasked = mask !== 'none';
  const want: Want[] = ['weights'];
  if (isMasked) want.push('scores');
  if (info && addsToScores(info)) want.push('bias');
  const embeddings = placedRows(x, order);
  const request = { heads, mask, projections, seed, offset, encoding };
  const { id, ...params } = encoding;
  // One head is soon computed. The proof takes all of them twice: it is asked for last, and the picture does not wait for it.
  const seen = engine.layer({ ...request, x: embeddings, head: headIndex(spec), want, output: 'omitted' });
  const adding = info ? addition({ params, offset, width, heads }, info, written.length, engine) : ({ kind: 'none' } as const);
  const proving = changeTrial(engine, { ...request, x }, order);
  // Awaited below. Should the picture fail first, nobody awaits it.
  proving.catch(() => {});
  const [result, added] = await Promise.all([seen, adding]);
  const weights = matrixOf(result.weights as Tensor, 0);
  const pictured: Pictured = {
    words: written,
    known,
    order,
    placed,
    embeddings,
    weights: isMasked ? unmasked(weights, matrixOf(result.scores as Tensor, 0)) : weights,
    encoding: id,
    injection: info?.injection ?? 'none',
    addition: result.bias ? { kind: 'bias', tensor: result.bias } : added,
    problem,
  };
  means.early?.(pictured);
  return { ...pictured, trial: await proving };
}

/** Whether only numbers have changed, and no word: what a slider does many times a second is shown at once. */
export const isStep = (before: Pictured | undefined, now: Pictured): boolean =>
  before !== undefined && before !== now && before.encoding === now.encoding && before.placed.join(' ') === now.placed.join(' ');

/** What the encoding adds at each place, as the colours of its stripe. */
export interface Stripes {
  readonly grid: Grid;
  readonly scale: 'diverging' | 'cyclic';
  readonly quantity: string;
  readonly unit: string | undefined;
  /** The axis of the cursor that its columns are. */
  readonly axis: 'channel' | 'pair' | 'key';
}

export function stripesOf({ addition: added, injection }: Pictured): Stripes | undefined {
  switch (added.kind) {
    case 'table':
      return { grid: gridOf(added.tensor), scale: 'diverging', quantity: words.quantities.table, unit: undefined, axis: 'channel' };
    case 'angles':
      return { grid: gridOf(added.tensor), scale: 'cyclic', quantity: words.quantities.angles, unit: 'rad', axis: 'pair' };
    case 'bias':
      return {
        grid: gridOf(added.tensor),
        scale: 'diverging',
        quantity: injection === 'score' ? words.quantities.bias : words.quantities.addition,
        unit: undefined,
        axis: 'key',
      };
    case 'none':
      return undefined;
  }
}
