// What does attention see? The scores or the weights of one head.
import { type HeatmapPicture, heatmap } from '../../views/heatmap.ts';
import type { Figure } from '../compute.ts';
import { type Frame, headOf, type PlaceCursor, placedWords } from './place-cursor.ts';

export type Matrix = 'scores' | 'weights';

/** The weights of one head; what a mask hides is NaN, not 0. */
export function visibleWeights(figure: Figure, head: number) {
  const { rows, columns, data } = headOf(figure.weights, head);
  const scores = headOf(figure.scores, head).data;
  return { rows, columns, data: data.map((weight, at) => (Number.isFinite(scores[at]) ? weight : Number.NaN)) };
}

export function attentionPicture(figure: Figure, matrix: Matrix, cursor: PlaceCursor, frame: Frame): HeatmapPicture {
  const words = placedWords(figure);
  const weights = matrix === 'weights';
  return heatmap({
    ...frame,
    grid: weights ? visibleWeights(figure, cursor.head) : headOf(figure.scores, cursor.head),
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
