// What a point of the picture is about: a place of the query above the line, one of the key below it, or a clock among all pairs.
import type { Box } from '../../../charts/picture.ts';
import { type Cursor, stepped } from '../../../charts/scene.ts';
import type { Spec } from './fields.ts';
import { type RotationLayout, TILE_GAP } from './layout.ts';

export interface Pointing {
  hit(x: number, y: number): Cursor | undefined;
  step(cursor: Cursor, right: number, down: number): Cursor;
}

/** `clocks` with the height at which they begin. */
export function pointing(spec: Spec, pairs: number, { line }: RotationLayout, clocks: readonly Box[], top: number): Pointing {
  const away = line.bar / 2 + TILE_GAP + line.tile.height;
  const pair = Math.min(spec.pair, pairs - 1);
  return {
    hit(x, y) {
      const clock = clocks.findIndex((box) => x >= box.x && x < box.x + box.width && y >= top + box.y && y < top + box.y + box.height);
      if (clock >= 0) return { pair: clock };
      const place = line.first + Math.round((x - line.x) / (line.pitch || 1));
      if (x < line.left || x > line.left + line.width || Math.abs(y - line.y) > away || place < 0 || place >= spec.length) return undefined;
      return { [y < line.y ? 'query' : 'key']: place };
    },
    step(cursor, right, down) {
      const start = Number.isInteger(spec.query) ? Math.max(0, Math.min(spec.length - 1, spec.query)) : 0;
      return {
        ...cursor,
        pair: right === 0 && cursor.pair === undefined ? pair : stepped(cursor.pair, right, pairs),
        ...(down === 0 ? {} : { query: stepped(cursor.query ?? start, down, spec.length) }),
      };
    },
  };
}
