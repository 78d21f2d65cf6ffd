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
export const formatLength = (value: number): string => String(Math.round(value * 100) / 100 + 0);

const roundPath = (d: string): string => d.replace(/-?\d*\.\d{3,}(?:e-?\d+)?/g, (number) => formatLength(Number(number)));

function geometryOf(mark: Mark): { [attribute: string]: string } {
  switch (mark.kind) {
    case 'line':
      return { x1: formatLength(mark.x1), y1: formatLength(mark.y1), x2: formatLength(mark.x2), y2: formatLength(mark.y2) };
    case 'path':
      return { d: roundPath(mark.d) };
    case 'text':
      return { x: formatLength(mark.x), y: formatLength(mark.y), dy: '0.35em' };
    case 'rect':
      return { x: formatLength(mark.x), y: formatLength(mark.y), width: formatLength(mark.width), height: formatLength(mark.height) };
    case 'circle':
      return { cx: formatLength(mark.cx), cy: formatLength(mark.cy), r: formatLength(mark.r) };
  }
}

export const isFilled = (mark: Exclude<Mark, TextMark>): boolean =>
  mark.kind === 'path' ? mark.fill === true : mark.kind !== 'line' && !mark.outline;

function styleOf(mark: Mark, color: string): { [attribute: string]: string } {
  if (mark.kind === 'text') {
    return {
      fill: color,
      'font-size': formatLength(mark.size ?? LABEL_SIZE),
      ...(mark.anchor && mark.anchor !== 'start' ? { 'text-anchor': mark.anchor } : {}),
      ...(mark.bold ? { 'font-weight': '600' } : {}),
      ...(mark.serif ? { 'font-family': SERIF } : {}),
    };
  }
  if (isFilled(mark)) return { fill: color };
  return {
    fill: 'none',
    stroke: color,
    'stroke-width': formatLength(mark.stroke ?? 1),
    ...(mark.kind === 'path' ? { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' } : {}),
    ...(mark.dashed ? { 'stroke-dasharray': '3 3' } : {}),
  };
}

function transformOf(mark: Mark): { [attribute: string]: string } {
  const { rotation } = mark;
  const offset = mark.kind === 'path' ? mark.by : undefined;
  const transforms = [
    rotation ? `rotate(${formatLength(rotation.degrees)} ${formatLength(rotation.x)} ${formatLength(rotation.y)})` : '',
    offset ? `translate(${formatLength(offset.x)} ${formatLength(offset.y)})` : '',
  ].filter(Boolean);
  return transforms.length > 0 ? { transform: transforms.join(' ') } : {};
}

export function toSvgElement(mark: Mark, toneColor: string): Element {
  const { opacity } = mark;
  return {
    name: mark.kind,
    attributes: {
      ...geometryOf(mark),
      ...styleOf(mark, mark.color ?? toneColor),
      ...(opacity !== undefined && opacity < 1 ? { opacity: formatLength(opacity) } : {}),
      ...transformOf(mark),
    },
    ...(mark.kind === 'text' ? { text: mark.text } : {}),
  };
}
