// Selects the visible labels along an axis: as many as fit, evenly spaced, including the label at the cursor.

const LABEL_STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000];

export interface LabelSpacing {
  /** Number of cells. */
  readonly count: number;
  /** Distance from one cell to the next in px. */
  readonly pitch: number;
  /** Minimum distance between two labels in px. */
  readonly minDistance: number;
  /** The cell at the cursor. Its label replaces those that are too close. */
  readonly cursor?: number | undefined;
}

/** The indices (0 to count - 1, ascending) whose labels are shown. */
export function selectLabelIndices({ count, pitch, minDistance, cursor }: LabelSpacing): number[] {
  const minStep = pitch > 0 ? minDistance / pitch : count;
  const labelStep = LABEL_STEPS.find((candidate) => candidate >= minStep - 1e-9) ?? Math.max(1, Math.ceil(minStep));
  const labelIndices: number[] = [];
  const highlightedIndex = cursor !== undefined && cursor >= 0 && cursor < count ? cursor : undefined;
  for (let index = 0; index < count; index += labelStep) {
    if (highlightedIndex === undefined || Math.abs(index - highlightedIndex) * pitch >= minDistance) labelIndices.push(index);
  }
  if (highlightedIndex !== undefined) labelIndices.push(highlightedIndex);
  return labelIndices.sort((a, b) => a - b);
}
