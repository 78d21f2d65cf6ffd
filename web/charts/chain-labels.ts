// The labels of narrow columns.
import { LABEL, shorten, widest } from './text-metrics.ts';

/** The minimum width of a column with a separate label, CSS px. */
const MIN = 26;

/** Labels, shortened to their columns; if columns are too narrow, every n-th one, if that is short. */
export function shownLabels(labels: readonly string[], cell: number): readonly { readonly column: number; readonly text: string }[] {
  const stride = cell >= MIN ? 1 : Math.ceil(Math.min(60, widest(labels) + 12) / Math.max(1e-3, cell));
  return labels.flatMap((label, column) =>
    column % stride === 0 && (column + stride <= labels.length || column === 0)
      ? [{ column, text: shorten(label, stride * cell - 6, LABEL) }]
      : [],
  );
}
