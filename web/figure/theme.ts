// The colours of a figure: those of its theme, with the custom properties of the page in place of some.
import type { Theme } from '../views/picture.ts';
import { PALETTES, type Palette } from '../views/render/palette.ts';

/** Custom properties of the page and the entries of the palette that they replace. */
const PROPERTIES = {
  '--phasor-ink': ['ink'],
  '--phasor-muted': ['muted'],
  '--phasor-hairline': ['hairline'],
  '--phasor-accent': ['accent', 'cursor', 'series-1'],
  '--phasor-ground': ['halo'],
} as const;

/** Red, green and blue (0 to 255) of a colour as a browser computes it: 'rgb(1, 2, 3)'. */
const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);

/** Whether a page whose ground has this colour is dark: by relative luminance (WCAG 2). */
export function isDark(color: string): boolean {
  const [red = 255, green = 255, blue = 255] = channels(color).map((byte) => (byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.2;
}

export interface Look {
  readonly theme: Theme;
  readonly palette: Palette;
}

/**
 * The look of a figure in its page. `resolve` gives a custom property as a computed colour, or '' when the page does not set it. The theme
 * follows the ground if the page sets one, else `preferred`.
 */
export function lookOf(resolve: (property: string) => string, preferred: Theme): Look {
  const ground = resolve('--phasor-ground');
  const theme = ground === '' ? preferred : isDark(ground) ? 'dark' : 'light';
  const tones: Record<string, string> = { ...PALETTES[theme].tones };
  for (const [property, names] of Object.entries(PROPERTIES)) {
    const color = resolve(property);
    if (color !== '') for (const name of names) tones[name] = color;
  }
  return { theme, palette: { ground: ground || PALETTES[theme].ground, tones: tones as Palette['tones'] } };
}
