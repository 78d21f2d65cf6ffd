// Paths through points, with gaps where a point is missing.

export interface Point {
  readonly x: number;
  readonly y: number;
}

const formatCoordinate = (value: number): string => String(Math.round(value * 100) / 100);
const formatPoint = ({ x, y }: Point): string => `${formatCoordinate(x)},${formatCoordinate(y)}`;

function splitAtGaps<Item>(points: readonly (Item | undefined)[]): Item[][] {
  const runs: Item[][] = [];
  let run: Item[] | undefined;
  for (const point of points) {
    if (point === undefined) {
      run = undefined;
      continue;
    }
    if (!run) {
      run = [];
      runs.push(run);
    }
    run.push(point);
  }
  return runs;
}

/** Returns the corners of a step line, which is level around each point and steps halfway between two points. */
function toSteps(run: readonly Point[]): Point[] {
  const [first, last] = [run[0], run.at(-1)];
  if (run.length < 2 || !first || !last) return [...run];
  const cornerPoints = run.slice(1).flatMap((point, index) => {
    const previousPoint = run[index] as Point;
    const x = previousPoint.x * 0.5 + point.x * 0.5;
    return [
      { x, y: previousPoint.y },
      { x, y: point.y },
    ];
  });
  return [first, ...cornerPoints, last];
}

/** Returns the SVG path of a line; empty without points. An isolated point becomes a dot. */
export function linePath(points: readonly (Point | undefined)[], shape: 'line' | 'step' = 'line'): string {
  return splitAtGaps(points)
    .map((run) => `M${(shape === 'step' ? toSteps(run) : run).map(formatPoint).join('L')}${run.length === 1 ? 'Z' : ''}`)
    .join('');
}

export interface Span {
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

export function areaPath(spans: readonly (Span | undefined)[]): string {
  return splitAtGaps(spans)
    .map((run) => {
      const upperEdge = run.map(({ x, high }) => formatPoint({ x, y: high }));
      const lowerEdge = run.map(({ x, low }) => formatPoint({ x, y: low })).reverse();
      return `M${[...upperEdge, ...lowerEdge].join('L')}Z`;
    })
    .join('');
}
