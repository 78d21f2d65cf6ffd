// Captions: the number under the cursor, or the range of all numbers, as a sentence.
import { extent } from '../views/grid.ts';
import { capital, formatNumber, formatRange } from '../views/number.ts';
import type { Figure } from './compute.ts';
import { addedNumbers } from './pictures/added.ts';
import { shownMatrix } from './pictures/attention.ts';
import { gridOf, type PlaceCursor } from './pictures/place-cursor.ts';

const wordAt = ({ words, order }: Figure, place: number): string => `“${words[order[place] as number]}”`;

const number = (value: number, unit = ''): string => (Number.isFinite(value) ? `${formatNumber(value)}${unit && ` ${unit}`}` : 'masked');

/** The caption of what the encoding adds. */
export function addedReadout(figure: Figure, { query, key, dimension }: PlaceCursor): string {
  const numbers = addedNumbers(figure);
  if (!numbers) return 'Nothing: the words enter attention without positions.';
  const { grid, quantity = 'value', unit } = numbers;
  const at = (row: number, column: number): number => grid.data[row * grid.columns + column] as number;
  if (figure.addition.kind === 'bias') {
    if (key !== undefined)
      return `${capital(quantity)} from ${wordAt(figure, query)} to ${wordAt(figure, key)}, head ${figure.head + 1}: ${number(at(query, key))}`;
  } else if (dimension !== undefined && dimension < grid.columns) {
    const place = key ?? query;
    const column = figure.addition.kind === 'angles' ? 'pair' : 'dimension';
    return `Position ${figure.setting.offset + place}, ${column} ${dimension}: ${number(at(place, dimension), unit)}`;
  }
  const { min, max } = extent(grid.data);
  const whose =
    figure.addition.kind === 'bias'
      ? `Head ${figure.head + 1} of ${figure.setting.heads}: ${quantity}${quantity === 'bias' ? '' : ' to the scores'}`
      : `${capital(quantity)}s`;
  const where =
    figure.addition.kind === 'table' && grid.columns < figure.setting.width
      ? `, on the first ${grid.columns} of ${figure.setting.width} dimensions`
      : '';
  return `${whose} ${formatRange(min, max, unit)}${where}`;
}

/** The caption of the attention matrix. */
export function attentionReadout(figure: Figure, { query, key }: PlaceCursor): string {
  const { columns, data } = gridOf(shownMatrix(figure));
  const { matrix } = figure.setting;
  if (key !== undefined) {
    const value = data[query * columns + key] as number;
    const quantity = matrix === 'weights' ? 'weight' : 'score';
    if (!Number.isFinite(value)) return `${wordAt(figure, query)} cannot attend to ${wordAt(figure, key)}: it is masked`;
    return `${wordAt(figure, query)} attends to ${wordAt(figure, key)}: ${quantity} ${number(value)}`;
  }
  const { min, max } = extent(data);
  return `Head ${figure.head + 1} of ${figure.setting.heads}: ${matrix} ${formatRange(min, max)}`;
}
