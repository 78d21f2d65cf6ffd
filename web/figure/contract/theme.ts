// Resolves a figure's colours. The page can override the theme's colours with custom properties. In forced-colors mode, system colours are
// used.
import type { Theme } from '../../charts/picture.ts';
import { COLORS, PALETTES, type Palette } from '../../charts/render/palette.ts';

/** Custom properties, each with the system colour that replaces it in forced-colors mode and the palette entries it sets. */
const COLOR_PROPERTIES = [
  ['--phasor-text', 'CanvasText', ['ink']],
  ['--phasor-muted', 'CanvasText', ['muted']],
  ['--phasor-border', 'GrayText', ['hairline']],
  ['--phasor-accent', 'Highlight', ['accent', 'cursor', 'series-1']],
] as const;
const BACKGROUND_COLORS = ['--phasor-background', 'Canvas'] as const;

/** A style sheet with a figure's colours in each theme. Custom properties set by the page take precedence over the palette. */
export const HOST_COLORS = Object.entries({ ':host': COLORS.light, ":host([data-theme='dark'])": COLORS.dark })
  .map(
    ([
      selector,
      {
        ground,
        tones: { ink, muted, hairline, accent },
        messages: { warn },
      },
    ]) => {
      const colors = [
        ['ground', 'background', ground],
        ['ink', 'text', ink],
        ['muted', 'muted', muted],
        ['hairline', 'border', hairline],
        ['accent', 'accent', accent],
        ['warn', 'warn', warn],
      ];
      return `${selector}{${colors.map(([name, property, color]) => `--${name}:var(--phasor-${property},${color})`).join(';')}}`;
    },
  )
  .join('');

/** Red, green and blue from 0 to 255, and opacity from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** Colours and theme of the page around a figure. */
export interface PageColors {
  /** Returns a custom property or a system colour, or undefined if it is not set or is not a colour. */
  color(name: string): Rgba | undefined;
  readonly preferredTheme: Theme;
  readonly isForced: boolean;
}

/** Whether a background colour is dark, based on its relative luminance (WCAG 2). */
export function isDark([red, green, blue]: Rgba): boolean {
  const [r = 1, g = 1, b = 1] = [red, green, blue].map((byte) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.2;
}

/** Prints a colour in a format that every SVG program can parse. */
export function printColor([red, green, blue, alpha]: Rgba): string {
  const hex = [red, green, blue].map((byte) => Math.round(byte).toString(16).padStart(2, '0')).join('');
  return alpha >= 1 ? `#${hex}` : `rgba(${Math.round(red)}, ${Math.round(green)}, ${Math.round(blue)}, ${Number(alpha.toFixed(3))})`;
}

export interface Look {
  readonly theme: Theme;
  readonly palette: Palette;
}

/** Resolves a figure's theme and palette. A background colour with an opacity of at least 0.5 determines the theme. */
export function resolveLook({ color, preferredTheme, isForced }: PageColors): Look {
  const readColor = (property: string, systemColor: string) => color(isForced ? systemColor : property);
  const background = readColor(...BACKGROUND_COLORS);
  const opaqueBackground = background && background[3] >= 0.5 ? background : undefined;
  const theme = opaqueBackground ? (isDark(opaqueBackground) ? 'dark' : 'light') : preferredTheme;
  const tones: Record<string, string> = { ...PALETTES[theme].tones };
  // The halo around the cursor must match the background.
  if (opaqueBackground) tones.halo = printColor(opaqueBackground);
  for (const [property, systemColor, names] of COLOR_PROPERTIES) {
    const toneColor = readColor(property, systemColor);
    if (toneColor) for (const name of names) tones[name] = printColor(toneColor);
  }
  return { theme, palette: { ground: background ? printColor(background) : PALETTES[theme].ground, tones: tones as Palette['tones'] } };
}

export const createLook = (theme: Theme): Look => ({ theme, palette: PALETTES[theme] });
