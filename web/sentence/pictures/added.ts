// "What is added?": a heatmap of the encoding's table, angles or bias.
import { type HeatmapPicture, type HeatmapSpec, heatmap } from '../../views/heatmap.ts';
import type { Figure } from '../compute.ts';
import { type Frame, gridOf, type PlaceCursor, placedWords } from './place-cursor.ts';

type Kind = Pick<HeatmapSpec, 'grid' | 'scale' | 'quantity' | 'unit'>;

/** The matrix that an encoding adds and its colour scale; undefined when it adds nothing. */
export function addedNumbers({ addition, encoding }: Figure): Kind | undefined {
  switch (addition.kind) {
    case 'table':
      return { grid: gridOf(addition.tensor), scale: 'diverging', quantity: 'value' };
    case 'angles':
      return { grid: gridOf(addition.tensor), scale: 'cyclic', quantity: 'angle', unit: 'rad' };
    case 'bias':
      return { grid: gridOf(addition.tensor), scale: 'diverging', quantity: encoding.injection === 'score' ? 'bias' : 'addition' };
    case 'none':
      return undefined;
  }
}

/** Row labels: the position and its word. */
const rowLabels = (figure: Figure): string[] => placedWords(figure).map((word, place) => `${figure.setting.offset + place} ${word}`);

const BIASES: { readonly [injection: string]: string } = {
  score_content: 'Content-dependent bias added to the scores',
  key_value: 'Bias added to the scores through the keys',
};

/** 'Table added to the embeddings', or to some of their dimensions. */
function tableTitle({ addition, setting }: Figure): string {
  const channels = addition.kind === 'table' ? (addition.tensor.shape[1] as number) : setting.width;
  if (channels === setting.width) return 'Table added to the embeddings';
  return `Table added to the first ${channels} of ${setting.width} dimensions`;
}

export function addedPicture(figure: Figure, cursor: PlaceCursor, frame: Frame): HeatmapPicture | undefined {
  const numbers = addedNumbers(figure);
  if (!numbers) return undefined;
  if (figure.addition.kind === 'bias') {
    return heatmap({
      ...frame,
      ...numbers,
      title: BIASES[figure.encoding.injection] ?? 'Bias added to the scores',
      rowLabels: placedWords(figure),
      columnLabels: placedWords(figure),
      rowTitle: 'query',
      columnTitle: 'key',
      cursor: { row: cursor.query, column: cursor.key },
    });
  }
  const isTable = figure.addition.kind === 'table';
  return heatmap({
    ...frame,
    ...numbers,
    title: isTable ? tableTitle(figure) : 'Angles that rotate queries and keys',
    rowLabels: rowLabels(figure),
    rowTitle: 'position',
    columnTitle: isTable ? 'dimension' : 'pair of channels',
    cursor: { row: cursor.key ?? cursor.query, column: cursor.dimension },
  });
}
