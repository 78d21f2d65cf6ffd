const formatCoordinate = (value: number): string => String(Math.round(value * 100) / 100);

export interface CircleCenter {
  readonly cx: number;
  readonly cy: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns a point on the circle. The direction is in radians, counterclockwise from the right. */
export const pointOnCircle = ({ cx, cy }: CircleCenter, radius: number, direction: number): Point => ({
  x: cx + radius * Math.cos(direction),
  y: cy - radius * Math.sin(direction),
});

/** Returns the path of an arc or a full circle. Angles are in radians. */
export function arcPath(center: CircleCenter, radius: number, startAngle: number, sweepAngle: number): string {
  const sweep = Math.max(-MAX_SWEEP, Math.min(MAX_SWEEP, sweepAngle));
  const [start, end] = [pointOnCircle(center, radius, startAngle), pointOnCircle(center, radius, startAngle + sweep)];
  const largeArcFlag = Math.abs(sweep) > Math.PI ? 1 : 0;
  return `M${formatCoordinate(start.x)} ${formatCoordinate(start.y)}A${formatCoordinate(radius)} ${formatCoordinate(radius)} 0 ${largeArcFlag} ${sweep > 0 ? 0 : 1} ${formatCoordinate(end.x)} ${formatCoordinate(end.y)}`;
}
/** Slightly less than a full rotation, because an arc with equal start and end points is not drawn. */
const MAX_SWEEP = 2 * Math.PI - 0.001;

export const sectorPath = (center: CircleCenter, radius: number, startAngle: number, sweepAngle: number): string =>
  `${arcPath(center, radius, startAngle, sweepAngle)}L${formatCoordinate(center.cx)} ${formatCoordinate(center.cy)}Z`;

export function roundedPath(x: number, y: number, width: number, height: number, radius: number): string {
  const r = Math.min(radius, width / 2, height / 2);
  const cornerArc = (right: number, down: number): string =>
    `a${formatCoordinate(r)} ${formatCoordinate(r)} 0 0 1 ${formatCoordinate(right)} ${formatCoordinate(down)}`;
  return `M${formatCoordinate(x + r)} ${formatCoordinate(y)}h${formatCoordinate(width - 2 * r)}${cornerArc(r, r)}v${formatCoordinate(height - 2 * r)}${cornerArc(-r, r)}h${formatCoordinate(2 * r - width)}${cornerArc(-r, -r)}v${formatCoordinate(2 * r - height)}${cornerArc(r, -r)}Z`;
}
