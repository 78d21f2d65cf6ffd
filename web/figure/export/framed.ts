// Prepares a picture for print: crops it to its contents, adds a margin and, optionally, a title and a source line.
import { computeBounds } from '../../charts/bounds.ts';
import { translateMark } from '../../charts/compose.ts';
import type { Mark, Picture } from '../../charts/picture.ts';
import { textWidth } from '../../charts/text-metrics.ts';

export interface PictureFrame {
  /** In px, on each side. */
  readonly margin: number;
  readonly title?: string | undefined;
  /** A line below the picture that names its source. */
  readonly source?: string | undefined;
}

const TITLE_STYLE = { size: 20, line: 27, gap: 12 } as const;
const SOURCE_STYLE = { size: 13, line: 18, gap: 14 } as const;
/** Minimum width in px for wrapping the title and the source, if the picture is narrower. */
const MIN_LINE_WIDTH = 320;

/** Wraps text at word boundaries into lines of at most `maxWidth` px. A word that is too wide gets its own line. */
export function breakLines(text: string, maxWidth: number, fontSize: number, isBold = false): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const extendedLine = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(extendedLine, fontSize, isBold) <= maxWidth) lines[lines.length - 1] = extendedLine;
    else lines.push(word);
  }
  return lines;
}

export function framePicture(picture: Picture, { margin, title = '', source = '' }: PictureFrame): Picture {
  const bounds = computeBounds(picture);
  const lineWidth = Math.max(MIN_LINE_WIDTH, bounds.width);
  const titleLines = breakLines(title, lineWidth, TITLE_STYLE.size, true);
  const sourceLines = breakLines(source, lineWidth, SOURCE_STYLE.size);
  const textWidths = [
    ...titleLines.map((line) => textWidth(line, TITLE_STYLE.size, true)),
    ...sourceLines.map((line) => textWidth(line, SOURCE_STYLE.size)),
  ];
  const width = Math.max(bounds.width, ...textWidths);
  const pictureTop = margin + (titleLines.length > 0 ? titleLines.length * TITLE_STYLE.line + TITLE_STYLE.gap : 0);
  const pictureBottom = pictureTop + bounds.height + (sourceLines.length > 0 ? SOURCE_STYLE.gap : 0);
  const [dx, dy] = [margin - bounds.x, pictureTop - bounds.y];
  const titleMarks = titleLines.map(
    (text, row): Mark => ({
      kind: 'text',
      tone: 'ink',
      serif: true,
      bold: true,
      size: TITLE_STYLE.size,
      x: margin,
      y: margin + (row + 0.5) * TITLE_STYLE.line,
      text,
    }),
  );
  const sourceMarks = sourceLines.map(
    (text, row): Mark => ({
      kind: 'text',
      tone: 'muted',
      size: SOURCE_STYLE.size,
      x: margin,
      y: pictureBottom + (row + 0.5) * SOURCE_STYLE.line,
      text,
    }),
  );
  return {
    ...picture,
    width: Math.ceil(width + 2 * margin),
    height: Math.ceil(pictureBottom + sourceLines.length * SOURCE_STYLE.line + margin),
    rasters: picture.rasters.map((raster) => ({ ...raster, x: raster.x + dx, y: raster.y + dy })),
    marks: [...titleMarks, ...picture.marks.map((mark) => translateMark(mark, dx, dy)), ...sourceMarks],
  };
}
