// The snapshots of a run: below what one of them shows, and what a reader can do with them.

import { stacked } from '../../../charts/compose.ts';
import { whole } from '../../../charts/english.ts';
import { isIndex } from '../../../charts/entry-at.ts';
import type { Mark } from '../../../charts/picture.ts';
import { type Scene, stepped } from '../../../charts/scene.ts';
import { RECORDED, SNAPSHOTS } from './snapshots.ts';
import type { Track, Training } from './training.ts';

const words = {
  title: 'Snapshots',
  text: (count: number, step: number) => `${count} snapshots of the training; that of step ${whole.format(step)} is shown.`,
  again: 'Another seed',
  recording: 'The recording',
  earlier: 'Earlier',
  laterOne: 'Later',
  goOn: 'Go on training',
  step: (step: number) => `step ${whole.format(step)}`,
} as const;

const [HIGH, GAP] = [44, 8];
const [DOT, NEAR] = [5, 22];

/** Where a run is, as a line with a dot for each snapshot: the filled ones are there. */
function trackScene(training: Training, width: number): Scene {
  const { steps, at, spec } = training;
  const [left, right, y] = [DOT + 3, width - DOT - 3, 14];
  const x = (index: number): number => left + ((right - left) * index) / SNAPSHOTS;
  const isThere = (index: number | undefined): index is number => isIndex(index, steps.length);
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
      height: HIGH,
      title: words.title,
      description: words.text(steps.length, steps[at] ?? 0),
      rasters: [],
      marks: [
        { kind: 'line', tone: 'hairline', x1: left, y1: y, x2: right, y2: y, stroke: 2 },
        ...Array.from({ length: SNAPSHOTS + 1 }, (_, index) => dot(index)),
        label(0, 'start', words.step(0)),
        label(SNAPSHOTS, 'end', words.step(spec.steps)),
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

export const track: Track = {
  height: HIGH + GAP,
  below: (scene, training, width) => stacked([scene, trackScene(training, width)], { title: scene.picture.title }, GAP),
  actions: ({ at, steps }, { seed, snapshot }, hasHeads) => [
    { label: words.earlier, keys: hasHeads ? [','] : ['[', ','], fields: () => ({ snapshot: at - 1 }), isIdle: at === 0 },
    { label: words.laterOne, keys: hasHeads ? ['.'] : [']', '.'], fields: () => ({ snapshot: at + 1 }), isIdle: at >= steps.length - 1 },
    ...(steps.length <= SNAPSHOTS && snapshot < SNAPSHOTS ? [{ label: words.goOn, fields: () => ({ snapshot: SNAPSHOTS }) }] : []),
    { label: words.again, keys: ['t'], fields: () => ({ seed: seed + 1, snapshot: SNAPSHOTS }) },
    { label: words.recording, fields: () => RECORDED },
  ],
};
