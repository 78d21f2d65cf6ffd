// Draws the marks of a picture on a canvas. Hundreds of marks may change at once, which would be too slow with SVG nodes.
import type { Mark, TextMark } from '../picture.ts';
import { LABEL_SIZE } from '../text-metrics.ts';
import { isFilled } from './attributes.ts';
import { FONT, type Palette, SERIF } from './palette.ts';

const DASH_PATTERN = [3, 3];
const SOLID_PATTERN: number[] = [];

/** Fills or strokes a mark. Rectangles are drawn without a Path2D, whose construction would dominate the cost. */
function drawShape(context: CanvasRenderingContext2D, mark: Exclude<Mark, TextMark>): void {
  const hasFill = isFilled(mark);
  if (!hasFill) {
    context.lineWidth = mark.stroke ?? 1;
    context.lineCap = mark.kind === 'path' ? 'round' : 'butt';
    context.lineJoin = mark.kind === 'path' ? 'round' : 'miter';
    context.setLineDash(mark.dashed ? DASH_PATTERN : SOLID_PATTERN);
  }
  if (mark.kind === 'rect') {
    if (hasFill) context.fillRect(mark.x, mark.y, mark.width, mark.height);
    else context.strokeRect(mark.x, mark.y, mark.width, mark.height);
    return;
  }
  if (mark.kind === 'path') {
    const path = new Path2D(mark.d);
    if (hasFill) context.fill(path);
    else context.stroke(path);
    return;
  }
  context.beginPath();
  if (mark.kind === 'circle') context.arc(mark.cx, mark.cy, Math.max(0, mark.r), 0, 2 * Math.PI);
  else {
    context.moveTo(mark.x1, mark.y1);
    context.lineTo(mark.x2, mark.y2);
  }
  if (hasFill) context.fill();
  else context.stroke();
}

const fontOf = ({ size = LABEL_SIZE, bold, serif }: TextMark): string => `${bold ? '600 ' : ''}${size}px ${serif ? SERIF : FONT}`;

function drawText(context: CanvasRenderingContext2D, { x, y, text, anchor = 'start', size = LABEL_SIZE }: TextMark): void {
  context.textAlign = anchor === 'middle' ? 'center' : anchor;
  context.fillText(text, x, y + 0.35 * size);
}

/** Whether two values are equal. Objects, such as marks and their rotations, are compared by their properties. */
function areEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const names = Object.keys(a) as (keyof typeof a)[];
  return names.length === Object.keys(b).length && names.every((name) => areEqual(a[name], b[name]));
}

export const areSameMarks = (a: readonly Mark[], b: readonly Mark[]): boolean =>
  a.length === b.length && a.every((mark, at) => areEqual(mark, b[at]));

/** Draws marks in order, at `ratio` device pixels per CSS px. */
export function drawMarks(context: CanvasRenderingContext2D, marks: readonly Mark[], { tones }: Palette, ratio: number): void {
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  let currentFont = '';
  for (const mark of marks) {
    const { rotation } = mark;
    if (rotation) {
      context.translate(rotation.x, rotation.y);
      context.rotate((rotation.degrees * Math.PI) / 180);
      context.translate(-rotation.x, -rotation.y);
    }
    const offset = mark.kind === 'path' ? mark.by : undefined;
    if (offset) context.translate(offset.x, offset.y);
    context.globalAlpha = mark.opacity ?? 1;
    context.fillStyle = context.strokeStyle = mark.color ?? tones[mark.tone];
    if (mark.kind === 'text') {
      // Assigned only if it changes, because parsing a font makes the browser compute the page's styles.
      if (currentFont !== fontOf(mark)) context.font = currentFont = fontOf(mark);
      drawText(context, mark);
    } else drawShape(context, mark);
    if (rotation || offset) context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
  context.resetTransform();
}
