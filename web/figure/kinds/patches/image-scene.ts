// Draws an image whose patches can be selected.
import { translateMark } from '../../../charts/compose.ts';
import type { Mark } from '../../../charts/picture.ts';
import type { Scene } from '../../../charts/scene.ts';
import { LABEL_SIZE } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import { findPatchAt, headingMarks, isPatch, layoutPatchSquare, movePatchCursor, patchOutline } from './patch-map-scene.ts';

export interface ImageSceneSpec {
  /** RGBA pixels of a square image. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
  /** Width and height of the image in its own pixels. */
  readonly imageSide: number;
  readonly patchesPerSide: number;
  readonly cursorAxis: string;
  readonly chosenPatch: number;
  readonly title: string;
  readonly description: string;
  readonly note: string;
  readonly width: number;
}

export function imageScene({
  rgba,
  imageSide,
  patchesPerSide,
  cursorAxis,
  chosenPatch,
  title,
  description,
  note,
  width,
}: ImageSceneSpec): Scene {
  const square = layoutPatchSquare(width, patchesPerSide);
  const { plot, patchSide } = square;
  const gridLines = Array.from({ length: patchesPerSide - 1 }, (_, index): Mark[] => {
    const x = plot.x + (index + 1) * patchSide;
    const y = plot.y + (index + 1) * patchSide;
    const gridLine = { kind: 'line', tone: 'halo', opacity: 0.55 } as const;
    return [
      { ...gridLine, x1: x, y1: plot.y, x2: x, y2: plot.y + plot.height },
      { ...gridLine, x1: plot.x, y1: y, x2: plot.x + plot.width, y2: y },
    ];
  }).flat();
  const noteText = wrapText([note], plot.width, LABEL_SIZE, 'muted');
  const noteY = plot.y + plot.height + 9;
  return {
    picture: {
      width: Math.max(1, width),
      height: Math.ceil(noteY + noteText.height + 4),
      title,
      description,
      rasters: [{ key: 'image', ...plot, columns: imageSide, rows: imageSide, rgba }],
      marks: [
        ...headingMarks(square, title),
        ...gridLines,
        ...patchOutline(square, chosenPatch, 'ink', 'chosen'),
        ...noteText.marks.map((mark) => translateMark(mark, plot.x, noteY)),
      ],
    },
    overlay: ({ [cursorAxis]: patch }) => (isPatch(square, patch) ? patchOutline(square, patch, 'cursor', 'pointed') : []),
    hit(x, y) {
      const patch = findPatchAt(square, x, y);
      return patch === undefined ? undefined : { [cursorAxis]: patch };
    },
    step: (cursor, columns, rows) => movePatchCursor(square, cursor, cursorAxis, columns, rows),
  };
}
