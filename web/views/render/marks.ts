// The marks of a picture on a canvas. A picture has hundreds of them and all may change with one number: as nodes of an SVG they
// would be styled, laid out and painted one by one, which took longer than everything else the page does.
import type { Mark, TextMark } from '../picture.ts';
import { isFilled } from './attributes.ts';
import { FONT, type Palette } from './palette.ts';

function outlineOf(mark: Exclude<Mark, TextMark>): Path2D {
  if (mark.kind === 'path') return new Path2D(mark.d);
  const path = new Path2D();
  if (mark.kind === 'rect') path.rect(mark.x, mark.y, mark.width, mark.height);
  else if (mark.kind === 'circle') path.arc(mark.cx, mark.cy, Math.max(0, mark.r), 0, 2 * Math.PI);
  else {
    path.moveTo(mark.x1, mark.y1);
    path.lineTo(mark.x2, mark.y2);
  }
  return path;
}

function drawText(context: CanvasRenderingContext2D, { x, y, text, anchor = 'start', size = 11, bold }: TextMark): void {
  context.font = `${bold ? '600 ' : ''}${size}px ${FONT}`;
  context.textAlign = anchor === 'middle' ? 'center' : anchor;
  context.fillText(text, x, y + 0.35 * size);
}

function draw(context: CanvasRenderingContext2D, mark: Mark): void {
  if (mark.kind === 'text') {
    drawText(context, mark);
    return;
  }
  const outline = outlineOf(mark);
  if (isFilled(mark)) {
    context.fill(outline);
    return;
  }
  context.lineWidth = mark.stroke ?? 1;
  context.lineCap = mark.kind === 'path' ? 'round' : 'butt';
  context.lineJoin = mark.kind === 'path' ? 'round' : 'miter';
  context.setLineDash(mark.dashed ? [3, 3] : []);
  context.stroke(outline);
}

/** Draws marks in their order, at `ratio` device pixels per CSS px. */
export function drawMarks(context: CanvasRenderingContext2D, marks: readonly Mark[], { tones }: Palette, ratio: number): void {
  context.resetTransform();
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  for (const mark of marks) {
    const { turn } = mark;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (turn) {
      context.translate(turn.x, turn.y);
      context.rotate((turn.degrees * Math.PI) / 180);
      context.translate(-turn.x, -turn.y);
    }
    context.globalAlpha = mark.opacity ?? 1;
    context.fillStyle = context.strokeStyle = mark.color ?? tones[mark.tone];
    draw(context, mark);
  }
}
