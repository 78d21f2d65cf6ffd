// Interpolation between pictures for animated transitions. Marks with the same key move to their new positions.
import type { Mark } from '../picture.ts';

const NUMBER_PATTERN = /-?\d+(?:\.\d+)?(?:e-?\d+)?/g;

/**
 * Returns a function of t (0 to 1) that interpolates the numbers in two strings, such as SVG path data. Returns undefined if the strings are equal,
 * are colours, or differ in anything other than numbers ('M0,0C...' and 'M0,0L...').
 */
export function interpolateText(from: string, to: string): ((t: number) => string) | undefined {
  if (from === to || from.startsWith('#') || to.startsWith('#')) return undefined;
  const startNumbers = from.match(NUMBER_PATTERN);
  const endNumbers = to.match(NUMBER_PATTERN);
  if (!startNumbers || !endNumbers || startNumbers.length !== endNumbers.length) return undefined;
  const texts = to.split(NUMBER_PATTERN);
  if (from.split(NUMBER_PATTERN).join('\0') !== texts.join('\0')) return undefined;
  return (t) => {
    if (t >= 1) return to;
    return texts.reduce((text, textPart, i) => {
      const start = Number(startNumbers[i - 1]);
      const value = start + (Number(endNumbers[i - 1]) - start) * t;
      return `${text}${Math.round(value * 100) / 100}${textPart}`;
    });
  };
}

const NUMERIC_PROPERTIES = ['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'width', 'height', 'stroke', 'opacity'] as const;

type NumericProperties = { readonly [Name in (typeof NUMERIC_PROPERTIES)[number]]?: number };

const interpolate = (from: number, to: number, t: number): number => from + (to - from) * t;

/** Returns a function of t (0 to 1) that interpolates between two marks. Returns undefined if their kinds differ or nothing moves. */
export function interpolateMark(from: Mark, to: Mark): ((t: number) => Mark) | undefined {
  if (from.kind !== to.kind) return undefined;
  const [start, end]: NumericProperties[] = [from, to];
  const movingProperties = NUMERIC_PROPERTIES.filter(
    (name) => start?.[name] !== end?.[name] && start?.[name] !== undefined && end?.[name] !== undefined,
  );
  const interpolatePath = from.kind === 'path' && to.kind === 'path' ? interpolateText(from.d, to.d) : undefined;
  const isRotating = from.rotation !== undefined && to.rotation !== undefined && from.rotation.degrees !== to.rotation.degrees;
  if (movingProperties.length === 0 && !interpolatePath && !isRotating) return undefined;
  return (t) => ({
    ...to,
    ...Object.fromEntries(movingProperties.map((name) => [name, interpolate(start?.[name] as number, end?.[name] as number, t)])),
    ...(interpolatePath ? { d: interpolatePath(t) } : {}),
    ...(from.rotation && to.rotation
      ? {
          rotation: {
            degrees: interpolate(from.rotation.degrees, to.rotation.degrees, t),
            x: interpolate(from.rotation.x, to.rotation.x, t),
            y: interpolate(from.rotation.y, to.rotation.y, t),
          },
        }
      : {}),
  });
}

/**
 * Returns a function of t (0 to 1) that interpolates marks with equal keys. Other new marks appear immediately. Returns undefined if nothing moves.
 */
export function interpolateMarks(before: readonly Mark[], after: readonly Mark[]): ((t: number) => readonly Mark[]) | undefined {
  const previousByKey = new Map(before.flatMap((mark) => (mark.key === undefined ? [] : [[`${mark.kind}:${mark.key}`, mark] as const])));
  const transitions = after.map((mark) => {
    const previousMark = mark.key === undefined ? undefined : previousByKey.get(`${mark.kind}:${mark.key}`);
    return previousMark && interpolateMark(previousMark, mark);
  });
  if (!transitions.some(Boolean)) return undefined;
  return (t) => after.map((mark, index) => transitions[index]?.(t) ?? mark);
}
