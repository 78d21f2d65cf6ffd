// Draws a dial with the original key, then a dial per following word, with the word's mirror line and the key before
// and after that word.

import { fitColumns } from '../../../charts/compose.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import type { Box, Frame, Mark } from '../../../charts/picture.ts';
import { type Cursor, type Scene, stepIndex } from '../../../charts/scene.ts';
import { shorten, textWidth } from '../../../charts/text-metrics.ts';

export interface ReflectionsSceneSpec extends Frame {
  readonly title: string;
  readonly description: string;
  /** Labels of the dials. The first dial shows the original key. */
  readonly labels: readonly string[];
  readonly values: readonly string[];
  /** [dials, 2] */
  readonly keys: Float32Array;
  /** [dials - 1, 2]: the unit direction of each dial except the first. */
  readonly directions: Float32Array;
  /** Index in the sentence of the word in the first dial. */
  readonly keyWordIndex: number;
}

const [MIN_SIDE, MAX_SIDE] = [104, 190];
const GAP = 14;
const LINE_HEIGHT = 18;

export function reflectionsScene({
  labels,
  values,
  keys,
  directions,
  keyWordIndex,
  title,
  description,
  ...frame
}: ReflectionsSceneSpec): Scene {
  const count = labels.length;
  const columnFit = fitColumns(count, frame.width, MIN_SIDE, GAP);
  const columns = Math.ceil(count / Math.ceil(count / columnFit.columns));
  const rows = Math.ceil(count / columns);
  const maxDialWidth = Math.floor((frame.width + GAP) / columns) - GAP;
  const maxDialHeight = frame.maxHeight === undefined ? MAX_SIDE : Math.floor((frame.maxHeight + GAP) / rows) - GAP - 2 * LINE_HEIGHT;
  const side = Math.max(40, Math.min(MAX_SIDE, maxDialWidth, maxDialHeight));
  const getDialBox = (dial: number): Box => ({
    x: (dial % columns) * (side + GAP),
    y: Math.floor(dial / columns) * (side + 2 * LINE_HEIGHT + GAP),
    width: side,
    height: side + 2 * LINE_HEIGHT,
  });
  const radius = side / 2 - 8;
  const toPixels = (dial: number, x: number, y: number) => {
    const box = getDialBox(dial);
    return { x: box.x + side / 2 + radius * x, y: box.y + LINE_HEIGHT + side / 2 - radius * y };
  };
  const getVector = (data: Float32Array, index: number) => ({ x: entryAt(data, 2 * index), y: entryAt(data, 2 * index + 1) });

  function arrowMarks(dial: number, { x, y }: { readonly x: number; readonly y: number }, tone: 'accent' | 'muted' | 'cursor'): Mark[] {
    const [from, to] = [toPixels(dial, 0, 0), toPixels(dial, x, y)];
    const line = { kind: 'line', tone, x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke: tone === 'muted' ? 1.5 : 3 } as const;
    return [line, { kind: 'circle', tone, cx: to.x, cy: to.y, r: tone === 'muted' ? 3 : 4.5 }];
  }
  function dialMarks(dial: number): Mark[] {
    const box = getDialBox(dial);
    const center = toPixels(dial, 0, 0);
    const marks: Mark[] = [
      { kind: 'text', tone: 'ink', x: center.x, y: box.y + 8, text: shorten(labels[dial] as string, side), anchor: 'middle' },
      { kind: 'circle', tone: 'hairline', cx: center.x, cy: center.y, r: radius, outline: true },
    ];
    const text = values[dial] as string;
    if (textWidth(text) <= side + GAP - 4)
      marks.push({ kind: 'text', tone: 'muted', x: center.x, y: box.y + LINE_HEIGHT + side + 8, text, anchor: 'middle' });
    if (dial > 0) {
      const w = getVector(directions, dial - 1);
      const [before, after] = [getVector(keys, dial - 1), getVector(keys, dial)];
      const [a, b, from, to] = [
        toPixels(dial, -w.y, w.x),
        toPixels(dial, w.y, -w.x),
        toPixels(dial, before.x, before.y),
        toPixels(dial, after.x, after.y),
      ];
      marks.push(
        { kind: 'line', tone: 'ink', dashed: true, x1: a.x, y1: a.y, x2: b.x, y2: b.y },
        { kind: 'line', tone: 'changed', x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke: 1.5 },
        ...arrowMarks(dial, before, 'muted'),
      );
    }
    return [...marks, ...arrowMarks(dial, getVector(keys, dial), 'accent')];
  }
  const findDial = ({ query }: Cursor): number | undefined =>
    query !== undefined && Number.isInteger(query) && query >= keyWordIndex && query < keyWordIndex + count
      ? query - keyWordIndex
      : undefined;

  return {
    picture: {
      width: frame.width,
      height: Math.max(...labels.map((_, dial) => getDialBox(dial).y + getDialBox(dial).height)),
      title,
      description,
      rasters: [],
      marks: labels.flatMap((_, dial) => dialMarks(dial)),
    },
    overlay(cursor) {
      const dial = findDial(cursor);
      if (dial === undefined) return [];
      const { x, y } = toPixels(dial, 0, 0);
      return [
        { kind: 'circle', tone: 'cursor', cx: x, cy: y, r: radius, outline: true, stroke: 2.5 },
        ...arrowMarks(dial, getVector(keys, dial), 'cursor'),
      ];
    },
    hit(x, y) {
      const dial = labels.findIndex((_, index) => {
        const box = getDialBox(index);
        return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
      });
      return dial < 0 ? undefined : { query: keyWordIndex + dial };
    },
    step: (cursor, right, below) => ({ ...cursor, query: keyWordIndex + stepIndex(findDial(cursor), right + below * columns, count) }),
  };
}
