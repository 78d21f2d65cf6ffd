import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber } from '../../../charts/number.ts';
import { createOrderProof } from '../../compute/output-proof.ts';
import { clampHeadIndex } from '../../compute/sentence-fields.ts';
import { type DataTable, defineKind } from '../../contract/kind.ts';
import { toGrid } from '../../contract/tensor.ts';
import { createWordsStage } from '../../words/stage.ts';
import { computeSentence, createStripes, fields, type PartialResults, type Results, type Spec } from './compute.ts';
import { getKeyPosition, getQueryPosition, selectWeights, sentenceScene } from './picture.ts';
import { strings } from './strings.ts';

function describeStripe(
  results: Results,
  { positionOffset }: Spec,
  wordPosition: number,
  cursor: { readonly [axis: string]: number },
): string | undefined {
  const stripes = createStripes(results);
  if (!stripes || stripes.cursorAxis === 'key') return undefined;
  const column = cursor[stripes.cursorAxis];
  const value = column === undefined ? undefined : stripes.grid.data[wordPosition * stripes.grid.columns + column];
  if (column === undefined || value === undefined || column >= stripes.grid.columns) return undefined;
  const unitText = stripes.unit ? ` ${stripes.unit}` : '';
  return strings.stripeReadout(
    positionOffset + wordPosition,
    strings.columnLabel[stripes.cursorAxis](column),
    `${stripes.quantity} ${formatNumber(value)}${unitText}`,
  );
}

function createAdditionTables(results: Results, { positionOffset }: Spec): DataTable[] {
  const { addition, placedWords } = results;
  if (addition.kind === 'none') return [];
  const { rows, columns, data } = toGrid(addition.tensor);
  const tensor = { shape: [rows, columns], data };
  const title = strings.tables.added;
  if (addition.kind === 'bias')
    return [{ name: 'added', title, tensor, rowTitle: strings.query, columnTitle: strings.key, rows: placedWords, columns: placedWords }];
  const positions = Array.from({ length: rows }, (_, index) => String(positionOffset + index));
  const columnTitle = addition.kind === 'table' ? strings.channel : strings.pair;
  return [{ name: 'added', title, tensor, rowTitle: strings.position, columnTitle, rows: positions }];
}

export const kind = defineKind<typeof fields, Results>({
  id: 'sentence',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  fields,
  aspect: 0.42,
  compute: computeSentence,
  scene: sentenceScene,
  surface: createWordsStage<typeof fields, PartialResults>(
    (results, spec, frame) => sentenceScene(results, spec, frame).picture,
    async () => (await import('./surface.ts')).sentenceSurface,
  ),
  readout(results, spec, cursor) {
    const { placedWords } = results;
    const query = getQueryPosition(results, cursor);
    const key = getKeyPosition(results, cursor);
    const stripeText = describeStripe(results, spec, key ?? query, cursor);
    if (stripeText !== undefined) return stripeText;
    const weights = selectWeights(results, query);
    const queryWord = placedWords[query] as string;
    if (key === undefined) {
      const { argmax, max } = extent(weights);
      const keyText = argmax === query ? strings.itself : strings.quotedWord(placedWords[argmax] as string);
      return strings.strongestKey(queryWord, keyText, formatNumber(max), clampHeadIndex(spec) + 1, spec.heads);
    }
    const weight = entryAt(weights, key);
    const keyWord = placedWords[key] as string;
    return Number.isFinite(weight)
      ? strings.weightReadout(queryWord, keyWord, formatNumber(weight))
      : strings.maskedReadout(queryWord, keyWord);
  },
  proof: ({ trial }) => createOrderProof(trial),
  verdicts: strings.verdicts,
  tables(results, spec) {
    const { placedWords, weights, embeddings } = results;
    // Masked weights are NaN in pictures and 0 in tables.
    const zeroedWeights = { ...weights, data: weights.data.map((weight) => (Number.isFinite(weight) ? weight : 0)) };
    return [
      {
        name: 'weights',
        title: strings.tables.weights,
        tensor: zeroedWeights,
        rowTitle: strings.query,
        columnTitle: strings.key,
        rows: placedWords,
        columns: placedWords,
      },
      ...createAdditionTables(results, spec),
      {
        name: 'embeddings',
        title: strings.tables.embeddings,
        tensor: embeddings,
        rowTitle: strings.word,
        columnTitle: strings.channel,
        rows: placedWords,
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
