// The dial: both hands with a knob at their ends and the angle between them; where they were before they moved, dashed, and by how much each has turned.
import type { Mark, Tone } from '../../../charts/picture.ts';
import { textWidth } from '../../../charts/text-metrics.ts';
import { degrees } from './degrees.ts';
import type { Hands } from './hands.ts';
import type { Dial } from './layout.ts';
import { arcPath, onCircle, sectorPath } from './shapes.ts';

/** Shares of the rim. */
const [REACH, WEDGE, OUTER, INNER] = [0.84, 0.46, 1.035, 0.93];
/** A wedge of less than this holds no number, radians. */
const NARROW = 0.62;
/** Words on the wedge, which is light in every theme. */
const ON_WEDGE = '#1f2328';
export const TONES: { readonly query: Tone; readonly key: Tone } = { query: 'series-1', key: 'series-2' };

export interface DialSpec {
  readonly hands: Hands;
  readonly before?: Hands | undefined;
  /** By how much each has turned since, radians. */
  readonly turned?: { readonly query: number; readonly key: number } | undefined;
  /** Angles of whole places from the first, radians, for marks on the rim; none where places differ. */
  readonly perPlace: number | undefined;
  /** Length of the vectors that reaches farthest. */
  readonly reach: number;
}

/** Where the knob of a hand is. */
export function tipOf(dial: Dial, { direction, length }: Hands['query'], reach: number): { readonly x: number; readonly y: number } {
  return onCircle(dial, reach > 0 ? (dial.radius * REACH * length) / reach : 0, direction);
}

export const knobRadius = ({ radius }: Dial): number => Math.max(14, Math.min(16, radius * 0.1));

const hand = (dial: Dial, at: Hands['query'], reach: number, tone: Tone, isGhost: boolean): Mark => {
  const { x, y } = tipOf(dial, at, reach);
  return isGhost
    ? { kind: 'line', tone, opacity: 0.8, dashed: true, stroke: 2, x1: dial.cx, y1: dial.cy, x2: x, y2: y }
    : { kind: 'path', tone, stroke: Math.max(4, dial.radius / 30), d: `M${dial.cx} ${dial.cy}L${x.toFixed(2)} ${y.toFixed(2)}` };
};

/** A mark on the rim for each place of one turn. */
function rim(dial: Dial, perPlace: number | undefined): Mark[] {
  const marks: Mark[] = [{ kind: 'circle', tone: 'hairline', cx: dial.cx, cy: dial.cy, r: dial.radius, outline: true }];
  const places = perPlace ? Math.floor((2 * Math.PI) / Math.abs(perPlace)) : 0;
  // More than these are a grey ring.
  if (!perPlace || places > 60) return marks;
  for (let place = 0; place <= places; place++) {
    const [from, to] = [onCircle(dial, dial.radius, place * perPlace), onCircle(dial, dial.radius * 0.965, place * perPlace)];
    marks.push({ kind: 'line', tone: 'muted', x1: from.x, y1: from.y, x2: to.x, y2: to.y });
  }
  return marks;
}

function ghost(dial: Dial, { before, turned, reach }: DialSpec): Mark[] {
  if (!before || !turned) return [];
  const marks: Mark[] = [
    {
      kind: 'path',
      tone: 'ink',
      opacity: 0.55,
      dashed: true,
      stroke: 1.5,
      d: sectorPath(dial, dial.radius * WEDGE, before.key.direction, before.apart),
    },
  ];
  for (const [name, radius] of [
    ['query', OUTER],
    ['key', INNER],
  ] as const) {
    marks.push(hand(dial, before[name], reach, TONES[name], true));
    if (turned[name] === 0) continue;
    const d = arcPath(dial, dial.radius * radius, before[name].direction, turned[name]);
    marks.push({ kind: 'path', tone: TONES[name], opacity: 0.85, stroke: 3.5, d });
  }
  return marks;
}

function wedge(dial: Dial, { key, apart }: Hands): Mark[] {
  const radius = dial.radius * WEDGE;
  return [
    { kind: 'path', tone: 'wedge', fill: true, d: sectorPath(dial, radius, key.direction, apart) },
    { kind: 'path', tone: 'changed', stroke: 2, d: arcPath(dial, radius, key.direction, apart) },
  ];
}

function angleText(dial: Dial, { key, apart }: Hands): Mark[] {
  const isInside = Math.abs(apart) > NARROW;
  const size = Math.max(15, Math.min(21, dial.radius * 0.12));
  const at = onCircle(dial, dial.radius * (isInside ? 0.3 : 0.58), key.direction + apart / 2);
  const text = degrees(apart);
  const written: Mark = {
    kind: 'text',
    tone: 'ink',
    bold: true,
    size,
    ...at,
    text,
    anchor: 'middle',
    ...(isInside ? { color: ON_WEDGE } : {}),
  };
  if (isInside) return [written];
  const half = textWidth(text, size, true) / 2 + 3;
  return [
    { kind: 'rect', tone: 'halo', opacity: 0.85, x: at.x - half, y: at.y - size * 0.7, width: 2 * half, height: size * 1.4 },
    written,
  ];
}

export function dialMarks(dial: Dial, spec: DialSpec): Mark[] {
  const { hands, reach } = spec;
  const knobs = (['key', 'query'] as const).flatMap((name): Mark[] => {
    const { x, y } = tipOf(dial, hands[name], reach);
    const r = knobRadius(dial);
    const text = name === 'query' ? 'q' : 'k';
    return [
      hand(dial, hands[name], reach, TONES[name], false),
      { kind: 'circle', tone: 'halo', cx: x, cy: y, r: r + 2.5 },
      { kind: 'circle', tone: TONES[name], cx: x, cy: y, r },
      { kind: 'text', tone: 'halo', bold: true, size: r + 1, x, y, text, anchor: 'middle' },
    ];
  });
  return [
    ...rim(dial, spec.perPlace),
    ...ghost(dial, spec),
    ...wedge(dial, hands),
    ...knobs,
    { kind: 'circle', tone: 'ink', cx: dial.cx, cy: dial.cy, r: Math.max(3, dial.radius / 42) },
    ...angleText(dial, hands),
  ];
}

/** The same, small: a pair among all. */
export function clockMarks(dial: Dial, hands: Hands, reach: number, isChosen: boolean): Mark[] {
  const stroke = Math.max(2, dial.radius / 14);
  return [
    {
      kind: 'circle',
      tone: isChosen ? 'ink' : 'hairline',
      cx: dial.cx,
      cy: dial.cy,
      r: dial.radius,
      outline: true,
      stroke: isChosen ? 2 : 1,
    },
    { kind: 'path', tone: 'wedge', fill: true, d: sectorPath(dial, dial.radius * 0.48, hands.key.direction, hands.apart) },
    ...(['key', 'query'] as const).map((name): Mark => {
      const { x, y } = tipOf(dial, hands[name], reach);
      return { kind: 'path', tone: TONES[name], stroke, d: `M${dial.cx} ${dial.cy}L${x.toFixed(2)} ${y.toFixed(2)}` };
    }),
    { kind: 'circle', tone: 'ink', cx: dial.cx, cy: dial.cy, r: Math.max(1.5, dial.radius / 20) },
  ];
}
