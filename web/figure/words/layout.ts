// Lays out words as tiles. A short sentence is laid out on one line with ribbons above it, longer text on several lines with arcs.

import { isInside } from '../../charts/inside.ts';
import type { Box } from '../../charts/picture.ts';
import { LABEL_SIZE, shorten, textWidth } from '../../charts/text-metrics.ts';
import { isRightToLeft } from '../../sentence/direction.ts';
import type { WordPlace } from './arcs.ts';
import { FLAT_HEIGHT, layoutLargeTiles } from './large-tiles.ts';

export interface Tile {
  /** The box around the word, its stripe and its position label. */
  readonly box: Box;
  readonly word: Box;
  readonly stripe: Box;
  /** The centre of the position label. */
  readonly position: { readonly x: number; readonly y: number };
  /** The point where arcs to the tile end. */
  readonly arcEnd: WordPlace;
  /** The word, truncated to the width of the figure. */
  readonly text: string;
}

export interface LargeTileSizes {
  /** The maximum height of a ribbon in px. */
  readonly arcHeight: number;
  /** Font size of the weights in the tiles, in px. */
  readonly weightFontSize: number;
  /** The y coordinate of the middle of the instruction line, in px. */
  readonly instructionY: number | undefined;
  /** Vertical position and size of the output bar codes in px. Bar codes replace stripes and positions. */
  readonly codes: { readonly y: number; readonly halfHeight: number; readonly signY: number; readonly hasWords: boolean } | undefined;
}

export interface SentenceLayout {
  readonly width: number;
  readonly height: number;
  /** Font size of the words, in px. */
  readonly fontSize: number;
  /** Font size of the positions, in px. */
  readonly labelFontSize: number;
  /** The tiles by position. */
  readonly tiles: readonly Tile[];
  /** 1 if the next position is on the right; -1 in a right-to-left sentence. */
  readonly nextDirection: 1 | -1;
  /** Sizes of large tiles; undefined for text on several lines. */
  readonly largeTileSizes: LargeTileSizes | undefined;
}

export interface LayoutOptions {
  readonly width: number;
  /** Maximum height in CSS px, for ribbons and for arcs over a single line. Text on several lines is as tall as necessary. */
  readonly maxHeight?: number | undefined;
  /** Font size of the position labels in px. In longer texts, it is at least 2 px smaller than the words. */
  readonly requestedLabelSize?: number | undefined;
  /** Whether the bar code of each word's output (kinds/sentence/codes.ts) is drawn below the word. Only for short sentences. */
  readonly hasCodes?: boolean | undefined;
}

interface Sizes {
  readonly fontSize: number;
  readonly stripeHeight: number;
  readonly arcHeight: number;
  readonly gapX: number;
  readonly gapY: number;
  readonly padding: number;
}

const LARGE_SIZES: Sizes = { fontSize: 32, stripeHeight: 12, arcHeight: 124, gapX: 14, gapY: 38, padding: 10 };
const MEDIUM_SIZES: Sizes = { fontSize: 23, stripeHeight: 9, arcHeight: 92, gapX: 8, gapY: 38, padding: 8 };
const SMALL_SIZES: Sizes = { fontSize: 17, stripeHeight: 6, arcHeight: 64, gapX: 5, gapY: 14, padding: 4 };
const TINY_SIZES: Sizes = { fontSize: 14, stripeHeight: 5, arcHeight: 48, gapX: 3, gapY: 10, padding: 3 };
/** Figure width in px below which the next smaller sizes are used. */
const NARROW_WIDTH = 560;
/** The minimum height in px at which arcs are distinguishable. */
const MIN_ARC_HEIGHT = 48;
/** Vertical space added to the font size of a position label, in px. */
const LEADING = 5;

/** Uses smaller tiles for longer texts and narrow figures. The smallest tiles are not combined with enlarged position labels. */
function chooseSizes(words: readonly string[], width: number, labelSize: number): Sizes {
  const characterCount = words.join(' ').length;
  const sizeSteps = [LARGE_SIZES, MEDIUM_SIZES, SMALL_SIZES, TINY_SIZES];
  const sizeIndex = words.length <= 9 && characterCount <= 56 ? 0 : words.length <= 40 ? 1 : words.length <= 120 ? 2 : 3;
  return sizeSteps[Math.min(labelSize > LABEL_SIZE ? 2 : 3, sizeIndex + (width < NARROW_WIDTH ? 1 : 0))] as Sizes;
}

/**
 * Breaks words of the given widths into lines.
 * @returns the index of the first word of each line
 */
function findLineStarts(widths: readonly number[], availableWidth: number, gap: number): number[] {
  const rowStarts: number[] = [];
  let usedWidth = Number.POSITIVE_INFINITY;
  widths.forEach((width, index) => {
    if (usedWidth + gap + width > availableWidth) {
      rowStarts.push(index);
      usedWidth = width;
    } else usedWidth += gap + width;
  });
  return rowStarts;
}

export function layoutSentence(words: readonly string[], options: LayoutOptions): SentenceLayout {
  return layoutLargeTiles(words, options) ?? layoutTileLines(words, options);
}

function layoutTileLines(
  words: readonly string[],
  { width, maxHeight = Number.POSITIVE_INFINITY, requestedLabelSize = LABEL_SIZE }: LayoutOptions,
): SentenceLayout {
  const { fontSize, stripeHeight, arcHeight: fullArcHeight, gapX, gapY, padding } = chooseSizes(words, width, requestedLabelSize);
  const labelFontSize = Math.min(requestedLabelSize, fontSize - 2);
  const positionHeight = labelFontSize + LEADING;
  const texts = words.map((word) => shorten(word, width - 2 * padding - 2, fontSize));
  const widths = texts.map((text) => Math.min(width, Math.ceil(Math.max(1.6 * fontSize, textWidth(text, fontSize) + 2 * padding + 2))));
  const wordHeight = Math.round(1.35 * fontSize);
  const rowHeight = wordHeight + 6 + stripeHeight + positionHeight;
  const startIndices = findLineStarts(widths, width, gapX);
  const nextDirection = isRightToLeft(words) ? -1 : 1;
  const maxArcHeight = maxHeight < FLAT_HEIGHT ? MIN_ARC_HEIGHT : fullArcHeight;
  const arcHeight = startIndices.length > 1 ? maxArcHeight : Math.min(maxArcHeight, Math.max(MIN_ARC_HEIGHT, maxHeight - rowHeight - 4));
  // The space between the lines of a long text is too small to keep loops below the positions of the previous line.
  const spaceBelow = gapY < positionHeight ? 0 : positionHeight - 2;
  const tiles: Tile[] = [];
  startIndices.forEach((start, row) => {
    const tileWidths = widths.slice(start, startIndices[row + 1]);
    const rowWidth = tileWidths.reduce((sum, wordWidth) => sum + wordWidth + gapX, -gapX);
    const y = arcHeight + row * (rowHeight + gapY);
    let x = fontSize >= MEDIUM_SIZES.fontSize ? Math.floor((width - rowWidth) / 2) : 0;
    tileWidths.forEach((tileWidth, index) => {
      const tileX = nextDirection > 0 ? x : width - x - tileWidth;
      const centreX = tileX + tileWidth / 2;
      tiles.push({
        box: { x: tileX, y, width: tileWidth, height: rowHeight },
        word: { x: tileX, y, width: tileWidth, height: wordHeight },
        stripe: { x: tileX, y: y + wordHeight + 4, width: tileWidth, height: stripeHeight },
        position: { x: centreX, y: y + wordHeight + 6 + stripeHeight + positionHeight / 2 },
        arcEnd: { x: centreX, y, height: wordHeight + 6 + stripeHeight, heightBelow: spaceBelow },
        text: texts[start + index] as string,
      });
      x += tileWidth + gapX;
    });
  });
  return {
    width,
    height: arcHeight + startIndices.length * (rowHeight + gapY) - gapY + 4,
    fontSize,
    labelFontSize,
    tiles,
    nextDirection,
    largeTileSizes: undefined,
  };
}

/** Returns the position at a point, and the fraction along the stripe (0 to 1) if the point is on the stripe. */
export function positionAt(
  { tiles }: SentenceLayout,
  x: number,
  y: number,
): { readonly place: number; readonly share: number | undefined } | undefined {
  const tileIndex = tiles.findIndex(({ box }) => isInside(box, x, y));
  const tile = tiles[tileIndex];
  if (!tile) return undefined;
  const { stripe } = tile;
  const isOnStripe = isInside({ ...stripe, y: stripe.y - 3, height: stripe.height + 6 }, x, y);
  return { place: tileIndex, share: isOnStripe ? (x - stripe.x) / stripe.width : undefined };
}
