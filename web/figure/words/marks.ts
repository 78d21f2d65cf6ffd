// Draws the words of the sentence as marks that look like the tiles on the page.
import { entryAt } from '../../charts/entry-at.ts';
import type { Box, Mark, Theme } from '../../charts/picture.ts';
import { COLORS, parseRgb } from '../../charts/render/palette.ts';
import type { SentenceLayout } from './layout.ts';
import { WORD_STRINGS } from './strings.ts';

/**
 * The weight at the end of the colour scale. Larger weights are rare, and a shorter scale makes small weights easier
 * to distinguish.
 */
const MAX_COLORED_WEIGHT = 0.7;

const toHex = (byte: number): string => Math.round(byte).toString(16).padStart(2, '0');

export interface WeightColor {
  /** The colour as '#rrggbb'. */
  readonly fill: string;
  /** Colour of text on this background, with a contrast of 4.5 or more. */
  readonly textColor: string;
}

/**
 * Returns the colour of an attention weight from 0 to 1. A weight of 0 has the background colour of the theme, and larger weights contrast
 * more with it. A weight that is not finite has the colour of 0.
 */
export function weightColor(weight: number, theme: Theme): WeightColor {
  const stops = COLORS[theme].sequential;
  const t = (Number.isFinite(weight) ? Math.min(1, Math.max(0, weight / MAX_COLORED_WEIGHT)) : 0) * (stops.length - 1);
  const stopIndex = Math.min(stops.length - 2, Math.floor(t));
  const [from, to] = [parseRgb(entryAt(stops, stopIndex)), parseRgb(entryAt(stops, stopIndex + 1))];
  const bytes = from.map((byte, channel) => byte + (entryAt(to, channel) - byte) * (t - stopIndex)) as [number, number, number];
  const [red, green, blue] = bytes.map((byte) => (byte / 255) ** 2.2) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const textColor = luminance > 0.27 ? COLORS.light.tones.ink : luminance > 0.179 ? '#000000' : luminance > 0.13 ? '#ffffff' : '#f4f1ea';
  return { fill: `#${bytes.map(toHex).join('')}`, textColor };
}

/** Corner radius in px, as in words.css. */
const CORNER_RADIUS = 8;

/** Returns the outline of a tile as an SVG path, enlarged by `outset` px. */
export function tileOutline({ x, y, width, height }: Box, outset: number): string {
  const r = CORNER_RADIUS + outset;
  const [w, h] = [width + 2 * outset - 2 * r, height + 2 * outset - 2 * r];
  return `M${x - outset + r} ${y - outset}h${w}a${r} ${r} 0 0 1 ${r} ${r}v${h}a${r} ${r} 0 0 1 ${-r} ${r}h${-w}a${r} ${r} 0 0 1 ${-r} ${-r}v${-h}a${r} ${r} 0 0 1 ${r} ${-r}z`;
}

/**
 * @param selectedPosition the selected position; -1 for none
 * @param weights the weight of each position
 * @param showsWeights whether to draw the weights below the words of a short sentence
 */
export function drawWords(
  { tiles, fontSize, largeTileSizes }: SentenceLayout,
  selectedPosition: number,
  weights: Float32Array,
  theme: Theme,
  showsWeights = true,
): Mark[] {
  return tiles.flatMap(({ word, text, arcEnd }, position): Mark[] => {
    const middleY = word.y + word.height / 2;
    const textMark = { kind: 'text', x: arcEnd.x, anchor: 'middle', size: fontSize, text, serif: true } as const;
    if (!largeTileSizes)
      return [
        { kind: 'rect', tone: 'halo', ...word },
        {
          kind: 'rect',
          tone: position === selectedPosition ? 'accent' : 'hairline',
          ...word,
          outline: true,
          stroke: position === selectedPosition ? 2 : 1,
        },
        { ...textMark, tone: 'ink', y: middleY },
      ];
    const weight = entryAt(weights, position);
    const { fill, textColor } = weightColor(weight, theme);
    const d = tileOutline(word, 0);
    const lineHeight = largeTileSizes.weightFontSize + 0.16 * word.height;
    return [
      { kind: 'path', tone: 'halo', color: fill, d, fill: true },
      { kind: 'path', tone: 'ink', d, opacity: 0.16, stroke: 1.5 },
      ...(position === selectedPosition ? [{ kind: 'path', tone: 'ink', d: tileOutline(word, 4), stroke: 3 } as const] : []),
      { ...textMark, tone: 'ink', color: textColor, y: showsWeights ? middleY - lineHeight / 2 + 1 : middleY },
      ...(showsWeights
        ? [
            {
              kind: 'text',
              tone: 'ink',
              color: textColor,
              x: arcEnd.x,
              y: middleY + fontSize / 2,
              anchor: 'middle',
              size: largeTileSizes.weightFontSize,
              text: WORD_STRINGS.share(weight),
            } as const,
          ]
        : []),
    ];
  });
}
