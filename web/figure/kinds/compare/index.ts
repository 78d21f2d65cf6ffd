import { divergingScale } from '../../../charts/color.ts';
import { columnsFor, gridded } from '../../../charts/compose.ts';
import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { commonRange, matrixScene } from '../../../charts/matrix-scene.ts';
import { capital, formatNumber } from '../../../charts/number.ts';
import type { Scene } from '../../../charts/scene.ts';
import { TITLE, titled } from '../../../charts/titled.ts';
import { identityOrder } from '../../../sentence/order.ts';
import { differenceOf } from '../../compute/difference.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { gridOf } from '../../contract/tensor.ts';
import { fields, type Pair, pairOf, type Shown, type Spec } from './matrices.ts';
import { words } from './strings.ts';

/** Of the largest number: rounding of float32 in sums over channels. */
const TOLERANCE = 1e-5;
/** A difference of two weights that is this large has the strongest colour; of other numbers, one of this share of the largest. Smaller ones are faint. */
const STRONG = 0.25;
/** A matrix narrower than this (px) has no room for its labels. */
const MIN = 230;

const axesOf = (show: Shown) => ({ rowAxis: 'query', columnAxis: show === 'table' ? 'channel' : 'key' });

const largestOf = ({ a, b }: Pair): number => Math.max(...[a, b].flatMap(({ data }) => [-extent(data).min, extent(data).max]));
const toleranceOf = (pair: Pair): number => TOLERANCE * Math.max(1, largestOf(pair));

type Numbers = Pair & { readonly difference: Pair['a']; readonly maxAbsDiff: number };

const headingA = ({ nameA, encoding }: Spec): string => words.first(nameA || (fields.encoding.print(encoding) ?? ''));
const headingB = ({ nameB, other }: Spec): string => words.second(nameB || (fields.other.print(other) ?? ''));

/** What is in a cell in A, in B and between them. */
function cellText({ a, b, difference, rows, columns }: Numbers, { show }: Spec, cell: number): [string, string, string, string, string] {
  const count = entryAt(a.shape, 1);
  const column = cell % count;
  const where = words.cells[show](rows[Math.floor(cell / count)] as string, columns?.[column] ?? String(column));
  const [inA, inB, between] = [a, b, difference].map(({ data }) => formatNumber(entryAt(data, cell))) as [string, string, string];
  return [where, words.quantities[show], inA, inB, between];
}

export const kind = defineKind({
  id: 'compare',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  labels: words.labels,
  help: words.help,
  fields,
  aspect: 0.45,
  async compute(spec, means): Promise<Numbers> {
    const pair = await pairOf(spec, means);
    const difference = await differenceOf(pair.a, pair.b, means.engine);
    const order = identityOrder(entryAt(pair.a.shape, 0));
    const { maxAbsDiff } = await means.engine.permutationError({ before: pair.a, after: pair.b, order });
    return { ...pair, difference, maxAbsDiff };
  },
  scene(numbers, spec, frame) {
    const { a, b, difference, rows, columns, maxAbsDiff } = numbers;
    const { show } = spec;
    const { columns: across, each } = columnsFor(3, frame.width, MIN);
    const signed = show === 'table' || show === 'bias' || show === 'scores';
    const range = commonRange([a, b]) ?? [0, 0];
    const shared = signed ? divergingScale(range, frame.theme).domain : range;
    const panel = (heading: string, tensor: Pair['a'], scale: 'sequential' | 'diverging', ranged: object): Scene =>
      titled(
        matrixScene({
          width: each,
          maxHeight: frame.maxHeight === undefined ? undefined : frame.maxHeight - TITLE,
          theme: frame.theme,
          grid: gridOf(tensor),
          scale,
          title: words.titles[show],
          quantity: words.quantities[show],
          rowLabels: rows,
          columnLabels: columns,
          rowTitle: words.axes[show].row,
          columnTitle: words.axes[show].column,
          ...axesOf(show),
          ...ranged,
        }),
        heading,
        each,
      );
    const common = { range: shared };
    // What is rounding has no colour, and what is small is faint.
    const limit = toleranceOf(numbers);
    const strong = maxAbsDiff > limit ? STRONG * (show === 'weights' ? 1 : largestOf(numbers)) : limit;
    const isFaint = maxAbsDiff > limit && maxAbsDiff < strong;
    const scale = signed ? 'diverging' : 'sequential';
    return gridded(
      [
        panel(headingA(spec), a, scale, common),
        panel(headingB(spec), b, scale, common),
        panel(isFaint ? words.faint(formatNumber(maxAbsDiff, { digits: 2 })) : words.difference, difference, 'diverging', {
          quantity: words.between,
          ...(maxAbsDiff < strong ? { range: [-strong, strong] } : {}),
        }),
      ],
      { title: words.question },
      { columns: across, each },
    );
  },
  readout(numbers, spec, cursor) {
    const { a, difference } = numbers;
    const [rows = 0, columns = 0] = a.shape;
    const { rowAxis, columnAxis } = axesOf(spec.show);
    const row = cursor[rowAxis];
    const column = cursor[columnAxis];
    if (isIndex(row, rows) && isIndex(column, columns)) return capital(words.cell(...cellText(numbers, spec, row * columns + column)));
    const { min, max, argmin, argmax } = extent(difference.data);
    if (min === 0 && max === 0) return words.same;
    return words.most(...cellText(numbers, spec, -min > max ? argmin : argmax));
  },
  proof(numbers, { show }) {
    const what = words.proof.what(words.quantities[show]);
    return makeProof({ ...words.proof, what }, numbers.maxAbsDiff, toleranceOf(numbers));
  },
  verdicts: words.verdicts,
  tables({ a, b, difference, rows, columns, embeddings, channels }, spec) {
    const { show } = spec;
    const axes = { rowTitle: words.axes[show].row, columnTitle: words.axes[show].column, rows, columns };
    const title = (heading: string): string => `${words.titles[show]}, ${heading}`;
    return [
      { name: 'a', title: title(headingA(spec)), tensor: a, ...axes },
      { name: 'b', title: title(headingB(spec)), tensor: b, ...axes },
      { name: 'difference', title: title(words.difference), tensor: difference, ...axes },
      ...(embeddings
        ? [{ name: 'embeddings', title: words.embeddings, tensor: embeddings, rowTitle: words.word, columnTitle: words.channel, rows }]
        : []),
      ...(channels
        ? [
            {
              name: 'channels',
              title: words.channels,
              tensor: { shape: [channels.length], data: Float32Array.from(channels) },
              rowTitle: words.channel,
              columnTitle: words.channel,
            },
          ]
        : []),
    ];
  },
  code: () => import('./code.ts'),
});
