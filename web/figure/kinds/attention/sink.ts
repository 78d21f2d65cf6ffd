// The weight of a learned attention sink: an additional softmax entry without a value vector (gpt-oss, arXiv 2508.10925).

import { entryAt } from '../../../charts/entry-at.ts';
import type { AsideColumn } from '../../../charts/heatmap/layout.ts';
import type { Tensor } from '../../../engine/index.ts';
import { strings } from './strings.ts';

export interface Sink {
  /** The sink logit, equal for all heads. */
  readonly logit: number;
  /** The sink weight in each row, [heads, words], or [1, words] if only one head was computed. */
  readonly weights: Tensor;
}

/** Returns the sink weight in each row of one head, [words]. */
export function selectSinkWeights({ weights: { shape, data } }: Sink, head: number): Tensor {
  const wordCount = entryAt(shape, 1);
  return { shape: [wordCount], data: data.subarray(head * wordCount, (head + 1) * wordCount) };
}

/** Creates the column beside the matrix. For weights, it contains the sink weights; for scores, the sink logit in every row. */
export function createSinkColumn(sink: Sink, head: number, matrix: 'weights' | 'scores'): AsideColumn {
  const { data } = selectSinkWeights(sink, head);
  return { label: strings.sink.columnLabel, data: matrix === 'weights' ? data : new Float32Array(data.length).fill(sink.logit) };
}

/** Returns the largest difference between 1 and a row sum that includes the sink weight. */
export function measureRowSumError({ data }: Tensor, sink: Sink): number {
  const wordCount = entryAt(sink.weights.shape, 1);
  let maxDifference = 0;
  for (const [row, sinkWeight] of sink.weights.data.entries()) {
    const sum = data.subarray(row * wordCount, (row + 1) * wordCount).reduce((total, weight) => total + weight, sinkWeight);
    maxDifference = Math.max(maxDifference, Math.abs(sum - 1));
  }
  return maxDifference;
}
