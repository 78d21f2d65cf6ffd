// Converts a mark to an SVG element: name, attributes and text.
import type { Mark, TextMark } from '../picture.ts';
import { LABEL_SIZE } from '../text-metrics.ts';
import { SERIF } from './palette.ts';

export interface Element {
  readonly name: Mark['kind'];
  readonly attributes: { readonly [attribute: string]: string };
  readonly text?: string;
}

/** Formats a length or an angle with at most two decimals. */
export const decimal = (value: number): string => String(Math.round(value * 100) / 100 + 0);

/** Rounds the numbers of path data to two decimals. */
const roundPath = (d: string): string => d.replace(/-?\d*\.\d{3,}(?:e-?\d+)?/g, (number) => decimal(Number(number)));

function geometryOf(mark: Mark): { [attribute: string]: string } {
  switch (mark.kind) {
    case 'line':
      return { x1: decimal(mark.x1), y1: decimal(mark.y1), x2: decimal(mark.x2), y2: decimal(mark.y2) };
    case 'path':
      return { d: roundPath(mark.d) };
    case 'text':
      return { x: decimal(mark.x), y: decimal(mark.y), dy: '0.35em' };
    case 'rect':
      return { x: decimal(mark.x), y: decimal(mark.y), width: decimal(mark.width), height: decimal(mark.height) };
    case 'circle':
      return { cx: decimal(mark.cx), cy: decimal(mark.cy), r: decimal(mark.r) };
  }
}

/** Whether a mark is filled; otherwise it is stroked. */
export const isFilled = (mark: Exclude<Mark, TextMark>): boolean =>
  mark.kind === 'path' ? mark.fill === true : mark.kind !== 'line' && !mark.outline;

function styleOf(mark: Mark, color: string): { [attribute: string]: string } {
  if (mark.kind === 'text') {
    return {
      fill: color,
      'font-size': decimal(mark.size ?? LABEL_SIZE),
      ...(mark.anchor && mark.anchor !== 'start' ? { 'text-anchor': mark.anchor } : {}),
      ...(mark.bold ? { 'font-weight': '600' } : {}),
      ...(mark.serif ? { 'font-family': SERIF } : {}),
    };
  }
  if (isFilled(mark)) return { fill: color };
  return {
    fill: 'none',
    stroke: color,
    'stroke-width': decimal(mark.stroke ?? 1),
    ...(mark.kind === 'path' ? { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' } : {}),
    ...(mark.dashed ? { 'stroke-dasharray': '3 3' } : {}),
  };
}

/** The rotation of a mark, and the offset of a path. */
function transformOf(mark: Mark): { [attribute: string]: string } {
  const { rotation } = mark;
  const offset = mark.kind === 'path' ? mark.by : undefined;
  const transforms = [
    rotation ? `rotate(${decimal(rotation.degrees)} ${decimal(rotation.x)} ${decimal(rotation.y)})` : '',
    offset ? `translate(${decimal(offset.x)} ${decimal(offset.y)})` : '',
  ].filter(Boolean);
  return transforms.length > 0 ? { transform: transforms.join(' ') } : {};
}

/** The element of a mark, with the colour of its tone. */
export function elementOf(mark: Mark, toneColor: string): Element {
  const { opacity } = mark;
  return {
    name: mark.kind,
    attributes: {
      ...geometryOf(mark),
      ...styleOf(mark, mark.color ?? toneColor),
      ...(opacity !== undefined && opacity < 1 ? { opacity: decimal(opacity) } : {}),
      ...transformOf(mark),
    },
    ...(mark.kind === 'text' ? { text: mark.text } : {}),
  };
}
