// Finds the cursor indices that the pointer or the arrow keys can select in a figure.

import type { Cursor } from '../charts/scene.ts';
import type { KindContext } from '../figure/contract/kind.ts';
import type { AnyKind } from '../figure/contract/registry.ts';
import { WIDTHS } from './still.ts';

/** Range of selectable indices on each cursor axis. */
export interface AxisRanges {
  readonly [axis: string]: readonly [lowest: number, highest: number];
}

/** Spacing in px of the points at which the picture is hit-tested; smaller than any cell. */
const SAMPLE_DISTANCE = 3;
/** Maximum number of arrow-key steps. No picture has more cells than this. */
const MAX_STEP_COUNT = 4096;

const areSameCursor = (a: Cursor, b: Cursor): boolean => JSON.stringify(a) === JSON.stringify(b);

export async function findAxes(kind: AnyKind, spec: Parameters<AnyKind['readout']>[1], context: KindContext): Promise<AxisRanges> {
  const results = await kind.compute(spec, context);
  const scene = kind.scene(results, spec, { width: WIDTHS.wide, theme: 'light' });
  const axes: { [axis: string]: [number, number] } = {};
  const extendAxes = (cursor: Cursor | undefined): void => {
    for (const [name, index] of Object.entries(cursor ?? {})) {
      const [lowest, highest] = axes[name] ?? [index, index];
      axes[name] = [Math.min(lowest, index), Math.max(highest, index)];
    }
  };
  const { width, height } = scene.picture;
  for (let y = 0; y < height; y += SAMPLE_DISTANCE) for (let x = 0; x < width; x += SAMPLE_DISTANCE) extendAxes(scene.hit(x, y));
  for (const [columns, rows] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const) {
    let cursor: Cursor = {};
    for (let step = 0; step < MAX_STEP_COUNT; step++) {
      const nextCursor = scene.step(cursor, columns, rows);
      extendAxes(nextCursor);
      if (areSameCursor(nextCursor, cursor)) break;
      cursor = nextCursor;
    }
  }
  return axes;
}
