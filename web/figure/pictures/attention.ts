// What does attention see? The scores or the weights of one head.
import { type HeatmapPicture, heatmap } from '../../views/heatmap.ts';
import type { Figure } from '../compute.ts';
import { type Frame, headOf, type PlaceCursor, placedWords } from './place-cursor.ts';

export type Matrix = 'scores' | 'weights';

export function attentionPicture(figure: Figure, matrix: Matrix, cursor: PlaceCursor, frame: Frame): HeatmapPicture {
  const words = placedWords(figure);
  const weights = matrix === 'weights';
  return heatmap({
    ...frame,
    grid: headOf(figure[matrix], cursor.head),
    scale: weights ? 'sequential' : 'diverging',
    quantity: weights ? 'weight' : 'score',
    title: weights ? 'Weights of attention' : 'Scores before the softmax',
    rowLabels: words,
    columnLabels: words,
    rowTitle: 'query',
    columnTitle: 'key',
    cursor: { row: cursor.query, column: cursor.key },
  });
}
