// Questions with answers: for each a mark, the number that decides, what is asked of it, and on a logarithmic track how far it is from that.
// Questions are an axis of the cursor.
import { type Scene, stepped } from '../../../charts/scene.ts';
import { axisMarks, rowMarks } from './verdict-marks.ts';
import { verdictsLayout } from './verdicts-layout.ts';

export type Answer = 'holds' | 'fails' | 'idle';

export interface VerdictRow {
  readonly name: string;
  readonly question: string;
  readonly answer: Answer;
  /** The answer as a word. */
  readonly verdict: string;
  /** What was measured, the number, and what is asked: 'closest two', '1.48', 'at least 0.0221'. Or, without a number, why. */
  readonly measured: string;
  readonly value: string;
  readonly asked: string;
  /** How many times better than asked: 1 is just enough, 0 the worst, Infinity the best. Undefined where there is no number. */
  readonly margin: number | undefined;
}

export interface VerdictsSceneSpec {
  readonly rows: readonly VerdictRow[];
  readonly axis: string;
  /** What was measured on, above the rows. */
  readonly heading: string;
  readonly title: string;
  readonly description: string;
  /** Under the track, from left to right. */
  readonly trackLabels: readonly [left: string, middle: string, right: string];
  /** What a step of the track is. */
  readonly trackNote: string;
  readonly width: number;
  readonly maxHeight?: number | undefined;
}

export function verdictsScene(spec: VerdictsSceneSpec): Scene {
  const { rows, axis } = spec;
  const layout = verdictsLayout(spec);
  const { width, height, heading, top, pitch } = layout;
  const rowY = (index: number): number => top + index * pitch;
  const at = (requirement: number | undefined): number | undefined =>
    requirement !== undefined && requirement >= 0 && requirement < rows.length ? requirement : undefined;
  return {
    picture: {
      width,
      height,
      title: spec.title,
      description: spec.description,
      rasters: [],
      marks: [...heading.marks, ...rows.flatMap((row, index) => rowMarks(row, rowY(index), layout)), ...axisMarks(spec, layout)],
    },
    overlay({ [axis]: requirement }) {
      const index = at(requirement);
      if (index === undefined) return [];
      return [{ kind: 'rect', tone: 'cursor', x: 1, y: rowY(index) + 1, width: width - 2, height: pitch - 2, outline: true, stroke: 2 }];
    },
    hit(x, y) {
      const index = Math.floor((y - top) / pitch);
      return x >= 0 && x < width && y >= top && index < rows.length ? { [axis]: index } : undefined;
    },
    step: (cursor, columns, down) => ({ ...cursor, [axis]: stepped(at(cursor[axis]), down || columns, rows.length) }),
  };
}
