// Draws each word's output as a bar code: the original output above the current one, with a gap between them if they
// differ.

import { colorIndex, divergingScale, TABLE_SIZE } from '../../../charts/color.ts';
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import type { Mark, Raster, Theme } from '../../../charts/picture.ts';
import { COLORS } from '../../../charts/render/palette.ts';
import type { LargeTileSizes } from '../../words/layout.ts';
import type { Outputs } from './outcome.ts';
import { strings } from './strings.ts';

/** Maximum number of cells in a bar code. More cells would be indistinguishable. */
const MAX_CELLS = 16;
const GAP = 5;
/**
 * Minimum colour range, relative to the largest output. Keeps rounding errors invisible in channels that are equal for
 * all words.
 */
const MIN_SPAN = 1e-3;
/**
 * Colour range as a multiple of the channel's range, so that values outside the channel's range remain distinguishable.
 */
const SPAN_FACTOR = 1.6;
/**
 * Computes the pixels of the bar codes. Outputs differ more between channels than between words, so each channel is
 * scaled to its range over the words in the original order.
 * @returns RGBA values, [words, 2, cells, 4]
 */
export function paintBarCodes({ before, after }: Outputs, theme: Theme): Uint8ClampedArray<ArrayBuffer> {
  const [count = 0, channels = 0] = before.shape;
  const cells = Math.min(MAX_CELLS, channels);
  const pixels = new Uint8ClampedArray(8 * count * cells).fill(255);
  const { min, max } = extent(before.data);
  const minHalfSpan = MIN_SPAN * Math.max(-min, max);
  const { table } = divergingScale([], theme);
  for (let channel = 0; channel < cells; channel++) {
    const range = extent(Float32Array.from({ length: count }, (_, word) => entryAt(before.data, word * channels + channel)));
    const center = (range.min + range.max) / 2;
    const halfSpan = Math.max(minHalfSpan, (SPAN_FACTOR * (range.max - range.min)) / 2);
    const scale = { kind: 'diverging', domain: [center - halfSpan, center + halfSpan], table } as const;
    for (let word = 0; word < count; word++)
      for (const [row, { data }] of [before, after].entries()) {
        const value = entryAt(data, word * channels + channel);
        const colorOffset = 3 * (Number.isFinite(value) ? colorIndex(scale, value) : TABLE_SIZE / 2);
        pixels.set(table.subarray(colorOffset, colorOffset + 3), 4 * ((2 * word + row) * cells + channel));
      }
  }
  return pixels;
}

interface CodeTile {
  readonly word: number;
  readonly x: number;
  readonly width: number;
  /** The gap between the two halves, from 0 (joined) to 1. */
  readonly split: number;
}

/** @param tiles tiles of all words, in drawing order */
export function createBarCodes(
  { isSame, isMoved }: Outputs,
  pixels: Uint8ClampedArray<ArrayBuffer>,
  { y, halfHeight, signY, hasWords }: NonNullable<LargeTileSizes['codes']>,
  tiles: readonly CodeTile[],
  theme: Theme,
): { readonly rasters: readonly Raster[]; readonly marks: readonly Mark[] } {
  const columns = pixels.length / (8 * Math.max(1, tiles.length));
  const rasters = tiles.flatMap(({ word, x, width: tileWidth, split }) =>
    [0, 1].map((row): Raster => {
      const offset = 4 * (2 * word + row) * columns;
      const top = y + row * (halfHeight + GAP * split);
      return {
        key: `code-${word}-${row}`,
        x,
        y: top,
        width: tileWidth,
        height: halfHeight,
        columns,
        rows: 1,
        rgba: pixels.subarray(offset, offset + 4 * columns),
      };
    }),
  );
  const size = hasWords ? 14 : 17;
  const marks = tiles.flatMap(({ word, x, width: tileWidth }): Mark[] => {
    if (!isMoved) return [];
    const [symbol, message] = isSame[word] ? strings.sameOutput : strings.changedOutput;
    const text = hasWords ? `${symbol} ${message}` : symbol;
    const color = isSame[word] ? {} : { color: COLORS[theme].messages.warn };
    return [
      {
        kind: 'text',
        tone: 'accent',
        ...color,
        key: `sign-${word}`,
        x: x + tileWidth / 2,
        y: signY,
        anchor: 'middle',
        size,
        bold: true,
        text,
      },
    ];
  });
  const leftEdge = Math.min(...tiles.map(({ x }) => x));
  const rowLabel = (text: string, row: number): Mark => ({
    kind: 'text',
    tone: 'muted',
    x: leftEdge - 10,
    y: y + halfHeight * (row + 0.5) + (row === 1 ? GAP * Math.max(...tiles.map(({ split }) => split)) : 0),
    anchor: 'end',
    size: 13,
    text,
  });
  const borders = tiles.flatMap(({ word, x, width: tileWidth, split }): Mark[] => {
    const border = { kind: 'rect', tone: 'hairline', x: x + 0.5, width: tileWidth - 1, outline: true } as const;
    if (split === 0) return [{ ...border, key: `code-${word}`, y: y + 0.5, height: 2 * halfHeight - 1 }];
    const lowerY = y + halfHeight + GAP * split;
    return [y, lowerY].map((top, row) => ({ ...border, key: `code-${word}-${row}`, y: top + 0.5, height: halfHeight - 1 }));
  });
  marks.push(...borders);
  return { rasters, marks: hasWords ? [...marks, rowLabel(strings.beforeLabel, 0), rowLabel(strings.nowLabel, 1)] : marks };
}
