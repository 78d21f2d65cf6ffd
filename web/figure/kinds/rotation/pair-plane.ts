// Two channels as a plane: vectors before and after they are rotated, at their true angles. The first channel points right, the second up.
import { linePath } from '../../../views/line-path.ts';
import type { Mark, Tone } from '../../../views/picture.ts';
import { textWidth } from '../../../views/text-metrics.ts';

export interface Turned {
  readonly name: string;
  readonly tone: Tone;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  /** Radians from one to the other, counterclockwise; may be many rotations. */
  readonly angle: number;
}

export interface PlaneSpec {
  readonly cx: number;
  readonly cy: number;
  /** Of the dial, px. */
  readonly radius: number;
  /** Length of the vectors that reaches the dial. */
  readonly reach: number;
  /** Names of the axes and the size of the dial. With them also the vectors before rotation, arcs, and names of the vectors. */
  readonly axes?: string;
}

/** Arcs of more rotations than this are cut: they would fill the dial. */
const MAX_TURNS = 2;
/** Whether the arc of an angle leaves out whole rotations. */
export const isCut = (angle: number): boolean => Math.abs(angle) > MAX_TURNS * TURN;
/** By how much an arc grows with each rotation, px. */
const TURN_GAP = 4;

const TURN = 2 * Math.PI;

export function planeMarks(vectors: readonly Turned[], { cx, cy, radius, reach, axes }: PlaneSpec): Mark[] {
  const scale = reach > 0 ? radius / reach : 0;
  const at = ([x, y]: readonly [number, number]) => ({ x: cx + scale * x, y: cy - scale * y });
  const marks: Mark[] = [
    { kind: 'circle', tone: 'hairline', cx, cy, r: radius, outline: true },
    { kind: 'line', tone: 'hairline', x1: cx - radius, y1: cy, x2: cx + radius, y2: cy },
    { kind: 'line', tone: 'hairline', x1: cx, y1: cy - radius, x2: cx, y2: cy + radius },
  ];
  if (axes) {
    // In the middle below the dial, but never beyond the left edge of the picture.
    marks.push({ kind: 'text', tone: 'muted', x: Math.max(cx, textWidth(axes) / 2), y: cy + radius + 14, text: axes, anchor: 'middle' });
  }
  vectors.forEach(({ name, tone, from, to, angle }, index) => {
    const start = at(from);
    const end = at(to);
    const length = Math.hypot(end.x - cx, end.y - cy);
    if (!(length > 0.5)) return;
    if (axes) {
      marks.push({ kind: 'line', tone, opacity: 0.55, dashed: true, x1: cx, y1: cy, x2: start.x, y2: start.y, stroke: 1.5 });
      const d = arc(Math.atan2(from[1], from[0]), angle, cx, cy, radius * (0.24 + 0.16 * index));
      if (d) marks.push({ kind: 'path', tone, d, stroke: 1.25 });
    }
    marks.push(...arrow(cx, cy, end.x, end.y, tone, axes ? 2.5 : 1.75, index > 0 && !axes));
    if (axes) {
      const away = { x: (end.x - cx) / length, y: (end.y - cy) / length };
      const place = { x: end.x + 12 * away.x, y: end.y + 12 * away.y };
      marks.push({ kind: 'rect', tone: 'halo', opacity: 0.8, x: place.x - 7, y: place.y - 8, width: 14, height: 16 });
      marks.push({ kind: 'text', tone, bold: true, size: 14, ...place, text: name, anchor: 'middle' });
    }
  });
  return marks;
}

/** A shaft and a head that ends at the tip. A hollow head tells a second vector apart without colour. */
function arrow(cx: number, cy: number, x: number, y: number, tone: Tone, stroke: number, hollow: boolean): Mark[] {
  const length = Math.hypot(x - cx, y - cy);
  const head = Math.min(3.2 * stroke + 1, length);
  const [ux, uy] = [(x - cx) / length, (y - cy) / length];
  const base = { x: x - head * ux, y: y - head * uy };
  const half = head * 0.45;
  const d = `M${fixed(x)},${fixed(y)}L${fixed(base.x - half * uy)},${fixed(base.y + half * ux)}L${fixed(base.x + half * uy)},${fixed(base.y - half * ux)}Z`;
  return [
    { kind: 'line', tone, x1: cx, y1: cy, x2: base.x, y2: base.y, stroke },
    hollow ? { kind: 'path', tone, d, stroke: 1.25 } : { kind: 'path', tone, d, fill: true },
  ];
}

const fixed = (value: number): string => value.toFixed(2);

/** A spiral from one direction through an angle, whole rotations beyond the first few left out; empty for less than a pixel. */
function arc(from: number, angle: number, cx: number, cy: number, radius: number): string {
  const most = MAX_TURNS * TURN;
  const sweep = isCut(angle) ? Math.sign(angle) * (most - TURN + (Math.abs(angle) % TURN)) : angle;
  if (Math.abs(sweep) * radius < 1) return '';
  const steps = Math.max(2, Math.ceil(Math.abs(sweep) / 0.08));
  const places = Array.from({ length: steps + 1 }, (_, step) => {
    const out = radius + (TURN_GAP * Math.abs(sweep) * step) / (steps * TURN);
    const direction = from + (sweep * step) / steps;
    return { x: cx + out * Math.cos(direction), y: cy - out * Math.sin(direction) };
  });
  return linePath(places);
}
