// Draws rows of bars below the axis of channel pairs: one row per group, with bars at the pairs in the group.
import type { Box, Mark } from '../../../charts/picture.ts';

export interface AxisRows {
  readonly names: readonly string[];
  /** For each pair, the index of its group in `names`; −1 for none. */
  readonly groups: readonly number[];
}

const ROW_HEIGHT = 13;
const BAR_HEIGHT = 7;

export const computeRowsHeight = (rows: AxisRows | undefined): number => (rows ? rows.names.length * ROW_HEIGHT + 4 : 0);

/** Returns the runs of adjacent pairs in the same group: [group, first pair, last pair]. */
function findRuns(groups: readonly number[]): readonly (readonly [number, number, number])[] {
  const runs: [number, number, number][] = [];
  groups.forEach((group, pair) => {
    const lastRun = runs.at(-1);
    if (lastRun?.[0] === group) lastRun[2] = pair;
    else runs.push([group, pair, pair]);
  });
  return runs.filter(([group]) => group >= 0);
}

/** @param top the upper edge of the first row, px */
export function axisRowMarks({ names, groups }: AxisRows, xOfPair: (pair: number) => number, { x, width }: Box, top: number): Mark[] {
  const halfSpacing = (xOfPair(1) - xOfPair(0)) / 2;
  const getRowCentre = (row: number): number => top + row * ROW_HEIGHT + ROW_HEIGHT / 2;
  const bars = findRuns(groups).map(([group, firstPair, lastPair]): Mark => {
    const left = Math.max(x, xOfPair(firstPair) - halfSpacing);
    const right = Math.min(x + width, xOfPair(lastPair) + halfSpacing);
    return { kind: 'rect', tone: 'series-1', x: left, y: getRowCentre(group) - BAR_HEIGHT / 2, width: right - left, height: BAR_HEIGHT };
  });
  return [
    ...names.map((text, row): Mark => ({ kind: 'text', tone: 'muted', x: x - 7, y: getRowCentre(row), text, anchor: 'end' })),
    ...names.map(
      (_, row): Mark => ({ kind: 'line', tone: 'hairline', x1: x, y1: getRowCentre(row), x2: x + width, y2: getRowCentre(row) }),
    ),
    ...bars,
  ];
}
