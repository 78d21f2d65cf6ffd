// Large tiles in one line, for a short sentence.

import { textWidth } from '../../charts/text-metrics.ts';
import { isRightToLeft } from '../../sentence/direction.ts';
import type { LayoutRoom, SentenceLayout, Tile } from './layout.ts';

interface Sizes {
  /** Font sizes of words in descending order; the largest that fits is used. */
  readonly fonts: readonly number[];
  readonly gap: number;
  readonly padding: number;
  /** Minimum and maximum width of a tile in px. */
  readonly width: readonly [least: number, most: number];
  readonly height: number;
  /** The maximum height of a ribbon in px. */
  readonly arcHeight: number;
  /** The height of half a bar code in px. */
  readonly half: number;
  /** The margin on both sides for text beside the bar codes, in px. */
  readonly beside: number;
}

const WIDE: Sizes = {
  fonts: [38, 34, 30, 27, 24],
  gap: 14,
  padding: 9,
  width: [58, 118],
  height: 84,
  arcHeight: 190,
  half: 25,
  beside: 62,
};
const PHONE: Sizes = { fonts: [30, 27, 25, 22], gap: 6, padding: 5, width: [44, 90], height: 66, arcHeight: 108, half: 21, beside: 0 };
/** Width in px below which the sizes for phones are used. */
const NARROW = 560;
const MOST_WORDS = 9;
/** Height of a figure in px below which tiles are shorter, so that ribbons are visible. */
const LOW = 190;
const LOW_TILE = 60;
const LOW_FONT = 30;
const MIN_ARC_HEIGHT = 48;
/** Height in px, as on a phone in landscape, below which ribbons are flat and words small. */
export const FLAT = 130;
const FLAT_TILE = 46;
const FLAT_FONT = 22;
const FLAT_ARC_HEIGHT = 24;
/** Space in px on both sides for the frame of the selected word, which is larger than the tile. */
const FRAME = 6;
const STRIPE = 12;
/** Font size of labels, px. */
const LABELS = 13;
/** Height of the line with the instruction, px. */
const INSTRUCTION_HEIGHT = 30;

/** The natural widths of tiles. */
const ownWidths = (placed: readonly string[], font: number, { padding, width: [least] }: Sizes): number[] =>
  placed.map((word) => Math.ceil(Math.max(least, textWidth(word, font) + 2 * padding)));

/** The minimum scale of the font for tiles of equal width. */
const SMALLER = 0.75;

/** The largest font with which the words fit, and their widths, which are equal unless that requires a much smaller font. */
function fitWidths(placed: readonly string[], fonts: readonly number[], sizes: Sizes, room: number) {
  const equalWidth = Math.floor(Math.min(sizes.width[1], room / placed.length));
  const ownSize = fonts.find((font) => ownWidths(placed, font, sizes).reduce((sum, width) => sum + width, 0) <= room);
  const equalSize = fonts.find((font) => ownWidths(placed, font, sizes).every((width) => width <= equalWidth));
  if (equalSize !== undefined && equalSize >= SMALLER * (ownSize ?? 0)) return { size: equalSize, widths: placed.map(() => equalWidth) };
  return ownSize === undefined ? undefined : { size: ownSize, widths: ownWidths(placed, ownSize, sizes) };
}

/** The layout of large tiles; undefined if the words do not fit in one line. */
export function largeTiles(
  placed: readonly string[],
  { width, maxHeight, labels: requested = 0, hasCodes = false }: LayoutRoom,
): SentenceLayout | undefined {
  if (placed.length > MOST_WORDS || placed.length === 0) return undefined;
  const sizes = width < NARROW ? PHONE : WIDE;
  const { gap, half, beside } = sizes;
  const isLow = maxHeight !== undefined && maxHeight < LOW;
  const isFlat = maxHeight !== undefined && maxHeight < FLAT;
  const room = width - 2 * FRAME - (placed.length - 1) * gap - (hasCodes ? 2 * beside : 0);
  const fonts = isFlat ? [FLAT_FONT] : sizes.fonts.filter((font) => !isLow || font <= LOW_FONT);
  const fit = fitWidths(placed, fonts, sizes, room);
  if (!fit) return undefined;
  const { size, widths } = fit;
  const labels = Math.max(LABELS, requested);
  const height = Math.min(sizes.height, isFlat ? FLAT_TILE : isLow ? LOW_TILE : Number.POSITIVE_INFINITY);
  const below = hasCodes ? 12 + 2 * half + 5 + 28 : 6 + STRIPE + labels + 7;
  const above = hasCodes ? INSTRUCTION_HEIGHT : 0;
  const minArcHeight = isFlat ? FLAT_ARC_HEIGHT : MIN_ARC_HEIGHT;
  const arcHeight = Math.round(
    Math.min(sizes.arcHeight, Math.max(minArcHeight, (maxHeight ?? Number.POSITIVE_INFINITY) - above - height - below)),
  );
  const top = above + arcHeight;
  const toRight = isRightToLeft(placed) ? -1 : 1;
  const across = widths.reduce((sum, each) => sum + each + gap, -gap);
  let x = Math.floor((width - across) / 2);
  const tiles = widths.map((each, location): Tile => {
    const left = toRight > 0 ? x : width - x - each;
    x += each + gap;
    const middle = left + each / 2;
    return {
      box: { x: left, y: top, width: each, height: height + below },
      word: { x: left, y: top, width: each, height },
      stripe: { x: left, y: top + height + 6, width: each, height: STRIPE },
      position: { x: middle, y: top + height + 6 + STRIPE + 3 + labels / 2 },
      arc: { x: middle, y: top, height },
      text: placed[location] as string,
    };
  });
  const y = top + height + 12;
  const codes = hasCodes ? { y, half, sign: y + 2 * half + 5 + 16, hasWords: width >= NARROW } : undefined;
  return {
    width,
    height: top + height + below,
    size,
    labels,
    tiles,
    toRight,
    large: { arcHeight, share: labels + (width < NARROW ? 0 : 1), instructionY: hasCodes ? INSTRUCTION_HEIGHT / 2 - 2 : undefined, codes },
  };
}
