// "What does attention see?": a heatmap of the scores or weights of one head.

import type { Tensor } from '../../engine/index.ts';
import { type HeatmapPicture, heatmap } from '../../views/heatmap.ts';
import type { Figure } from '../compute.ts';
import { type Frame, gridOf, type PlaceCursor, placedWords } from './place-cursor.ts';

/** [1, places, places]: the scores or the weights of the head shown. */
export const shownMatrix = ({ setting, scores, weights }: Figure): Tensor => (setting.matrix === 'scores' && scores) || weights;

export function attentionPicture(figure: Figure, cursor: PlaceCursor, frame: Frame): HeatmapPicture {
  const words = placedWords(figure);
  const weights = figure.setting.matrix === 'weights';
  return heatmap({
    ...frame,
    grid: gridOf(shownMatrix(figure)),
    scale: weights ? 'sequential' : 'diverging',
    quantity: weights ? 'weight' : 'score',
    title: weights ? 'Attention weights' : 'Attention scores before the softmax',
    rowLabels: words,
    columnLabels: words,
    rowTitle: 'query',
    columnTitle: 'key',
    cursor: { row: cursor.query, column: cursor.key },
  });
}
