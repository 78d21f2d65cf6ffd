// The colours of pictures and pages, from palette.json. `npm run docs` copies them to the style sheets (scripts/palette.mjs).
import type { Theme, Tone } from '../picture.ts';
import colors from './palette.json' with { type: 'json' };

export const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif';

export const SERIF = '"Source Serif 4", "Source Serif 4 Variable", Charter, "Iowan Old Style", Georgia, serif';

export interface Palette {
  /** Background colour. */
  readonly ground: string;
  readonly tones: { readonly [T in Tone]: string };
}

interface ThemeColors extends Palette {
  readonly messages: { readonly warn: string; readonly problem: string };
  readonly masked: string;
  /**
   * Colour stops. The sequential scale runs from the background to the largest value, the diverging scale from the most negative to the most positive
   * (docs/decisions/0026-color-scales.md).
   */
  readonly sequential: readonly string[];
  readonly diverging: readonly string[];
  /** Colours for posters, which have a background instead of a frame. */
  readonly poster: { readonly ground: string; readonly zero: string };
}

export const COLORS: { readonly [T in Theme]: ThemeColors } = colors;
const createPalette = ({ ground, tones }: ThemeColors): Palette => ({ ground, tones });
export const PALETTES: { readonly [T in Theme]: Palette } = { light: createPalette(COLORS.light), dark: createPalette(COLORS.dark) };

/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];
export const parseRgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
