// Parses points typed by the user.
import { FieldError } from '../../contract/fields.ts';
import { strings } from './strings.ts';

export const MAX_POINTS = 48;
/** Larger coordinates would saturate the softmax. */
const MAX_COORDINATE = 1000;

/**
 * Parses points such as 'x,y x,y', separated by spaces, line breaks or semicolons. Throws a FieldError if a point is
 * invalid or there are more than MAX_POINTS.
 */
export function parsePoints(text: string): number[] {
  const points = text.trim() === '' ? [] : text.trim().split(/[\s;]+/);
  const values = points.flatMap((point) => {
    const coordinates = point
      .replaceAll('−', '-')
      .replace(/^\((.*)\)$/, '$1')
      .split(',');
    const numbers = coordinates.map((coordinate) => (coordinate === '' ? Number.NaN : Number(coordinate)));
    if (numbers.length !== 2 || !numbers.every(Number.isFinite)) throw new FieldError(strings.invalidPoint(point.slice(0, 40)));
    if (numbers.some((value) => Math.abs(value) > MAX_COORDINATE))
      throw new FieldError(strings.coordinateOutOfRange(point.slice(0, 40), MAX_COORDINATE));
    return numbers;
  });
  if (points.length > MAX_POINTS) throw new FieldError(strings.tooManyPoints(points.length, MAX_POINTS));
  return values;
}

export const createLayerRequest = (spec: {
  readonly mask: 'none' | 'causal';
  readonly projections: 'identity' | 'orthogonal';
  readonly seed: number;
}) => ({ mask: spec.mask, projections: spec.projections, seed: spec.seed, heads: 1 }) as const;
