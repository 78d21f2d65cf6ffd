// The cosines of rows before training and after it, and below them the snapshots of a run.
import { columnsFor, gridded, stacked } from '../../../views/compose.ts';
import { matrixScene } from '../../../views/matrix-scene.ts';
import type { Mark } from '../../../views/picture.ts';
import { type Frame, type Scene, stepped } from '../../../views/scene.ts';
import { titled } from '../../../views/titled.ts';
import { gridOf } from '../../contract/tensor.ts';
import { notesHeight, withNotes } from './heads-scene.ts';
import { SNAPSHOTS } from './snapshots.ts';
import type { TableNumbers } from './table.ts';
import { words } from './words.ts';

/** The least width of a matrix beside another one, px: on a phone too both are seen at once. */
const LEAST = 150;
const GAP = 20;
const TRACK = 44;
const [DOT, NEAR] = [5, 22];

/** Where a run is, as a line with a dot for each snapshot: the filled ones are there. */
function trackScene({ steps, at, total }: TableNumbers, width: number): Scene {
  const [left, right, y] = [DOT + 3, width - DOT - 3, 14];
  const x = (index: number): number => left + ((right - left) * index) / SNAPSHOTS;
  const isThere = (index: number | undefined): index is number =>
    index !== undefined && Number.isInteger(index) && index >= 0 && index < steps.length;
  const dot = (index: number): Mark =>
    isThere(index)
      ? { kind: 'circle', tone: index === at ? 'accent' : 'muted', cx: x(index), cy: y, r: index === at ? DOT + 2 : DOT - 1 }
      : { kind: 'circle', tone: 'hairline', cx: x(index), cy: y, r: DOT - 2 };
  const label = (index: number, anchor: 'start' | 'end', text: string): Mark => ({
    kind: 'text',
    tone: 'muted',
    x: x(index) + (anchor === 'start' ? -DOT : DOT),
    y: y + 20,
    anchor,
    text,
  });
  return {
    picture: {
      width,
      height: TRACK,
      title: words.track,
      description: words.trackText(steps.length, steps[at] ?? 0),
      rasters: [],
      marks: [
        { kind: 'line', tone: 'hairline', x1: left, y1: y, x2: right, y2: y, stroke: 2 },
        ...Array.from({ length: SNAPSHOTS + 1 }, (_, index) => dot(index)),
        label(0, 'start', words.stepLabel(0)),
        label(SNAPSHOTS, 'end', words.stepLabel(total)),
      ],
    },
    overlay: ({ snapshot }) =>
      isThere(snapshot) ? [{ kind: 'circle', tone: 'cursor', cx: x(snapshot), cy: y, r: DOT + 4, outline: true, stroke: 2 }] : [],
    hit(px, py) {
      if (py < 0 || py > y + NEAR) return undefined;
      const index = Math.round(((px - left) / (right - left)) * SNAPSHOTS);
      return isThere(index) ? { snapshot: index } : undefined;
    },
    step: (cursor, columns) => ({ ...cursor, snapshot: stepped(cursor.snapshot ?? at, columns, steps.length) }),
  };
}

export function tableScene(numbers: TableNumbers, frame: Frame): Scene {
  const { origin, before, after, step, isHidden, spec, model, total, steps } = numbers;
  const isLive = origin === 'live';
  const notes = [isLive ? words.live(spec.seed, steps.at(-1) ?? 0, total, isHidden) : words.recorded(model)];
  const room = (frame.maxHeight ?? 600) - notesHeight(notes, frame.width) - (isLive ? TRACK + 8 : 0);
  const { columns, each } = columnsFor(2, frame.width, LEAST, GAP);
  const one = (matrix: typeof after, text: string): Scene =>
    titled(
      matrixScene({
        ...frame,
        width: each,
        maxHeight: room - 24,
        grid: gridOf(matrix),
        scale: 'diverging',
        range: [-1, 1],
        title: words.cosines,
        quantity: words.cosine,
        rowAxis: 'query',
        columnAxis: 'key',
        rowTitle: words.position,
        columnTitle: words.position,
      }),
      text,
      each,
    );
  const title = { title: words.tableTitle };
  const both = gridded([one(before, words.beforeTraining), one(after, words.afterSteps(step))], title, { columns, each }, GAP);
  const whole = isLive ? stacked([both, trackScene(numbers, frame.width)], title, 8) : both;
  return withNotes(whole, notes, frame.width);
}
