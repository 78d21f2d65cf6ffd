import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber } from '../../../charts/number.ts';
import { changeProof } from '../../compute/output-proof.ts';
import { headIndex } from '../../compute/sentence-fields.ts';
import { type DataTable, defineKind } from '../../contract/kind.ts';
import { gridOf } from '../../contract/tensor.ts';
import { fields, type Numbers, type Spec, sentenceNumbers, stripesOf } from './compute.ts';
import { keyPlace, queryPlace, sentenceScene, weightsOf } from './picture.ts';
import { sentenceStage } from './stage.ts';
import { words } from './strings.ts';

/** The number on a stripe, where one is pointed at. */
function stripeReadout(numbers: Numbers, { offset }: Spec, place: number, cursor: { readonly [axis: string]: number }): string | undefined {
  const stripes = stripesOf(numbers);
  if (!stripes || stripes.axis === 'key') return undefined;
  const column = cursor[stripes.axis];
  const value = column === undefined ? undefined : stripes.grid.data[place * stripes.grid.columns + column];
  if (column === undefined || value === undefined || column >= stripes.grid.columns) return undefined;
  const unit = stripes.unit ? ` ${stripes.unit}` : '';
  return words.gets(offset + place, words.columns[stripes.axis](column), `${stripes.quantity} ${formatNumber(value)}${unit}`);
}

/** The matrix that the encoding adds, as a table. */
function addedTable(numbers: Numbers, { offset }: Spec): DataTable[] {
  const { addition, placed } = numbers;
  if (addition.kind === 'none') return [];
  const { rows, columns, data } = gridOf(addition.tensor);
  const tensor = { shape: [rows, columns], data };
  const title = words.tables.added;
  if (addition.kind === 'bias')
    return [{ name: 'added', title, tensor, rowTitle: words.query, columnTitle: words.key, rows: placed, columns: placed }];
  const positions = Array.from({ length: rows }, (_, place) => String(offset + place));
  const columnTitle = addition.kind === 'table' ? words.channel : words.pair;
  return [{ name: 'added', title, tensor, rowTitle: words.position, columnTitle, rows: positions }];
}

export const kind = defineKind<typeof fields, Numbers>({
  id: 'sentence',
  question: words.question,
  instruction: words.instruction,
  caption: words.caption,
  labels: words.labels,
  help: words.help,
  fields,
  aspect: 0.42,
  compute: sentenceNumbers,
  scene: sentenceScene,
  surface: sentenceStage,
  readout(numbers, spec, cursor) {
    const { placed } = numbers;
    const query = queryPlace(numbers, cursor);
    const key = keyPlace(numbers, cursor);
    const stripe = stripeReadout(numbers, spec, key ?? query, cursor);
    if (stripe !== undefined) return stripe;
    const weights = weightsOf(numbers, query);
    const from = placed[query] as string;
    if (key === undefined) {
      const { argmax, max } = extent(weights);
      const to = argmax === query ? words.itself : words.quoted(placed[argmax] as string);
      return words.most(from, to, formatNumber(max), headIndex(spec) + 1, spec.heads);
    }
    const weight = entryAt(weights, key);
    const to = placed[key] as string;
    return Number.isFinite(weight) ? words.attends(from, to, formatNumber(weight)) : words.masked(from, to);
  },
  proof: ({ trial }) => changeProof(trial),
  verdicts: words.verdicts,
  tables(numbers, spec) {
    const { placed, weights, embeddings } = numbers;
    // A weight that is masked is 0 in numbers; only pictures tell the two apart.
    const plain = { ...weights, data: weights.data.map((weight) => (Number.isFinite(weight) ? weight : 0)) };
    return [
      {
        name: 'weights',
        title: words.tables.weights,
        tensor: plain,
        rowTitle: words.query,
        columnTitle: words.key,
        rows: placed,
        columns: placed,
      },
      ...addedTable(numbers, spec),
      {
        name: 'embeddings',
        title: words.tables.embeddings,
        tensor: embeddings,
        rowTitle: words.word,
        columnTitle: words.channel,
        rows: placed,
      },
    ];
  },
  code: () => import('./code.ts'),
});
