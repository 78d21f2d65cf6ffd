// Lays out a short sentence as large tiles in one line.

import { textWidth } from '../../charts/text-metrics.ts';
import { isRightToLeft } from '../../sentence/direction.ts';
import type { LayoutOptions, SentenceLayout, Tile } from './layout.ts';

interface Sizes {
  /** Font sizes of the words, in descending order. The largest size that fits is used. */
  readonly fontSizes: readonly number[];
  readonly gap: number;
  readonly padding: number;
  /** Minimum and maximum width of a tile in px. */
  readonly widthRange: readonly [least: number, most: number];
  readonly height: number;
  /** Maximum height of a ribbon, in px. */
  readonly arcHeight: number;
  /** The height of each of the two halves of a bar code, in px. */
  readonly halfHeight: number;
  /** Margin in px on both sides of the bar codes, for text. */
  readonly sideMargin: number;
}

const WIDE_SIZES: Sizes = {
  fontSizes: [38, 34, 30, 27, 24],
  gap: 14,
  padding: 9,
  widthRange: [58, 118],
  height: 84,
  arcHeight: 190,
  halfHeight: 25,
  sideMargin: 62,
};
const PHONE_SIZES: Sizes = {
  fontSizes: [30, 27, 25, 22],
  gap: 6,
  padding: 5,
  widthRange: [44, 90],
  height: 66,
  arcHeight: 108,
  halfHeight: 21,
  sideMargin: 0,
};
/** Width in px below which the phone sizes are used. */
const NARROW_WIDTH_PX = 560;
const MAX_WORDS = 9;
/** Figure height in px below which tiles are shorter, so that the ribbons remain visible. */
const LOW_HEIGHT_PX = 190;
const LOW_TILE_HEIGHT = 60;
const LOW_FONT_SIZE = 30;
const MIN_ARC_HEIGHT = 48;
/** Figure height in px below which ribbons are flat and words are small, for example on a phone in landscape orientation. */
export const FLAT_HEIGHT = 130;
const FLAT_TILE_HEIGHT = 46;
const FLAT_FONT_SIZE = 22;
const FLAT_ARC_HEIGHT = 24;
/** Space in px on both sides for the frame of the selected word, which is larger than the tile. */
const FRAME_MARGIN = 6;
const STRIPE_HEIGHT = 12;
const LABEL_FONT_SIZE = 13;
const INSTRUCTION_HEIGHT = 30;

const minTileWidths = (words: readonly string[], font: number, { padding, widthRange: [minWidth] }: Sizes): number[] =>
  words.map((word) => Math.ceil(Math.max(minWidth, textWidth(word, font) + 2 * padding)));

/** To make all tiles equally wide, the font may be scaled down to this fraction of the largest size that fits. */
const MIN_FONT_SCALE = 0.75;

/**
 * Finds the largest font that fits, and the widths of the tiles. All tiles have the same width unless that requires a
 * much smaller font.
 */
function fitTileWidths(words: readonly string[], fontSizes: readonly number[], sizes: Sizes, availableWidth: number) {
  const equalWidth = Math.floor(Math.min(sizes.widthRange[1], availableWidth / words.length));
  const fittingSize = fontSizes.find((font) => minTileWidths(words, font, sizes).reduce((sum, width) => sum + width, 0) <= availableWidth);
  const equalSize = fontSizes.find((font) => minTileWidths(words, font, sizes).every((width) => width <= equalWidth));
  if (equalSize !== undefined && equalSize >= MIN_FONT_SCALE * (fittingSize ?? 0))
    return { size: equalSize, widths: words.map(() => equalWidth) };
  return fittingSize === undefined ? undefined : { size: fittingSize, widths: minTileWidths(words, fittingSize, sizes) };
}

/** Lays out large tiles. Returns undefined if the words do not fit in one line. */
export function layoutLargeTiles(
  words: readonly string[],
  { width, maxHeight, requestedLabelSize = 0, hasCodes = false }: LayoutOptions,
): SentenceLayout | undefined {
  if (words.length > MAX_WORDS || words.length === 0) return undefined;
  const sizes = width < NARROW_WIDTH_PX ? PHONE_SIZES : WIDE_SIZES;
  const { gap, halfHeight, sideMargin } = sizes;
  const isLow = maxHeight !== undefined && maxHeight < LOW_HEIGHT_PX;
  const isFlat = maxHeight !== undefined && maxHeight < FLAT_HEIGHT;
  const availableWidth = width - 2 * FRAME_MARGIN - (words.length - 1) * gap - (hasCodes ? 2 * sideMargin : 0);
  const fontSizes = isFlat ? [FLAT_FONT_SIZE] : sizes.fontSizes.filter((font) => !isLow || font <= LOW_FONT_SIZE);
  const fittedTiles = fitTileWidths(words, fontSizes, sizes, availableWidth);
  if (!fittedTiles) return undefined;
  const { size: fontSize, widths } = fittedTiles;
  const labelFontSize = Math.max(LABEL_FONT_SIZE, requestedLabelSize);
  const height = Math.min(sizes.height, isFlat ? FLAT_TILE_HEIGHT : isLow ? LOW_TILE_HEIGHT : Number.POSITIVE_INFINITY);
  const heightBelow = hasCodes ? 12 + 2 * halfHeight + 5 + 28 : 6 + STRIPE_HEIGHT + labelFontSize + 7;
  const heightAbove = hasCodes ? INSTRUCTION_HEIGHT : 0;
  const minArcHeight = isFlat ? FLAT_ARC_HEIGHT : MIN_ARC_HEIGHT;
  const arcHeight = Math.round(
    Math.min(sizes.arcHeight, Math.max(minArcHeight, (maxHeight ?? Number.POSITIVE_INFINITY) - heightAbove - height - heightBelow)),
  );
  const tileY = heightAbove + arcHeight;
  const nextDirection = isRightToLeft(words) ? -1 : 1;
  const lineWidth = widths.reduce((sum, tileWidth) => sum + tileWidth + gap, -gap);
  let x = Math.floor((width - lineWidth) / 2);
  const tiles = widths.map((tileWidth, position): Tile => {
    const tileX = nextDirection > 0 ? x : width - x - tileWidth;
    x += tileWidth + gap;
    const centreX = tileX + tileWidth / 2;
    return {
      box: { x: tileX, y: tileY, width: tileWidth, height: height + heightBelow },
      word: { x: tileX, y: tileY, width: tileWidth, height },
      stripe: { x: tileX, y: tileY + height + 6, width: tileWidth, height: STRIPE_HEIGHT },
      position: { x: centreX, y: tileY + height + 6 + STRIPE_HEIGHT + 3 + labelFontSize / 2 },
      arcEnd: { x: centreX, y: tileY, height },
      text: words[position] as string,
    };
  });
  const y = tileY + height + 12;
  const codes = hasCodes ? { y, halfHeight, signY: y + 2 * halfHeight + 5 + 16, hasWords: width >= NARROW_WIDTH_PX } : undefined;
  return {
    width,
    height: tileY + height + heightBelow,
    fontSize,
    labelFontSize,
    tiles,
    nextDirection,
    largeTileSizes: {
      arcHeight,
      weightFontSize: labelFontSize + (width < NARROW_WIDTH_PX ? 0 : 1),
      instructionY: hasCodes ? INSTRUCTION_HEIGHT / 2 - 2 : undefined,
      codes,
    },
  };
}
