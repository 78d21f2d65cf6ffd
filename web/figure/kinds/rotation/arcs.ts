// Paths of circles and arcs.

const fixed = (value: number): string => String(Math.round(value * 100) / 100);

export interface Center {
  readonly cx: number;
  readonly cy: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The point in a direction, in radians counterclockwise from the right. */
export const onCircle = ({ cx, cy }: Center, radius: number, direction: number): Point => ({
  x: cx + radius * Math.cos(direction),
  y: cy - radius * Math.sin(direction),
});

/** An arc that starts in a direction and spans an angle; a circle for a full rotation or more. */
export function arcPath(round: Center, radius: number, from: number, by: number): string {
  const sweep = Math.max(-FULL, Math.min(FULL, by));
  const [start, end] = [onCircle(round, radius, from), onCircle(round, radius, from + sweep)];
  const isLarge = Math.abs(sweep) > Math.PI ? 1 : 0;
  return `M${fixed(start.x)} ${fixed(start.y)}A${fixed(radius)} ${fixed(radius)} 0 ${isLarge} ${sweep > 0 ? 0 : 1} ${fixed(end.x)} ${fixed(end.y)}`;
}
/** Just below a full rotation, because an arc that ends at its start is empty. */
const FULL = 2 * Math.PI - 0.001;

export const sectorPath = (round: Center, radius: number, from: number, by: number): string =>
  `${arcPath(round, radius, from, by)}L${fixed(round.cx)} ${fixed(round.cy)}Z`;

export function roundedPath(x: number, y: number, width: number, height: number, radius: number): string {
  const r = Math.min(radius, width / 2, height / 2);
  const corner = (right: number, down: number): string => `a${fixed(r)} ${fixed(r)} 0 0 1 ${fixed(right)} ${fixed(down)}`;
  return `M${fixed(x + r)} ${fixed(y)}h${fixed(width - 2 * r)}${corner(r, r)}v${fixed(height - 2 * r)}${corner(-r, r)}h${fixed(2 * r - width)}${corner(-r, -r)}v${fixed(2 * r - height)}${corner(r, -r)}Z`;
}
