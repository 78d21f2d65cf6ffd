// Selects the labels of a cell axis: as many as fit, evenly spaced, including the label at the cursor.

/** Steps between labels, in cells. */
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000];

export interface AxisOfCells {
  /** Number of cells. */
  readonly count: number;
  /** Distance from one cell to the next in px. */
  readonly pitch: number;
  /** Minimum distance between two labels in px. */
  readonly gap: number;
  /** The cell at the cursor, which is labelled instead of its neighbours. */
  readonly cursor?: number | undefined;
}

/** The indices (0 to count - 1, ascending) whose labels are shown. */
export function shownLabels({ count, pitch, gap, cursor }: AxisOfCells): number[] {
  const requested = pitch > 0 ? gap / pitch : count;
  const step = STEPS.find((candidate) => candidate >= requested - 1e-9) ?? Math.max(1, Math.ceil(requested));
  const shown: number[] = [];
  const highlighted = cursor !== undefined && cursor >= 0 && cursor < count ? cursor : undefined;
  for (let index = 0; index < count; index += step) {
    if (highlighted === undefined || Math.abs(index - highlighted) * pitch >= gap) shown.push(index);
  }
  if (highlighted !== undefined) shown.push(highlighted);
  return shown.sort((a, b) => a - b);
}
