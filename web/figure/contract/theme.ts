// The colours of a figure: the colours of its theme, overridden by the page's custom properties or the system's forced colours.
import type { Theme } from '../../charts/picture.ts';
import { COLORS, PALETTES, type Palette } from '../../charts/render/palette.ts';

/** Custom properties of the page, each with the system colour that replaces it in forced-colors mode, and its entries in the palette. */
const COLOR_PROPERTIES = [
  ['--phasor-text', 'CanvasText', ['ink']],
  ['--phasor-muted', 'CanvasText', ['muted']],
  ['--phasor-border', 'GrayText', ['hairline']],
  ['--phasor-accent', 'Highlight', ['accent', 'cursor', 'series-1']],
] as const;
const BACKGROUND_COLORS = ['--phasor-background', 'Canvas'] as const;

/** The style sheet with the colours of a figure in each theme: custom properties of the page, or else the palette. */
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

/** A colour as numbers: red, green and blue from 0 to 255, opacity from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** The properties of the page that a figure reads. */
export interface PageColors {
  /** Returns a custom property or a system colour as numbers; undefined if it is not set or not a colour. */
  color(name: string): Rgba | undefined;
  /** The theme of the page around the figure. */
  readonly preferredTheme: Theme;
  /** Whether forced-colors mode is active. */
  readonly isForced: boolean;
}

/** Whether a background is dark, by its relative luminance (WCAG 2). */
export function isDark([red, green, blue]: Rgba): boolean {
  const [r = 1, g = 1, b = 1] = [red, green, blue].map((byte) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.2;
}

/** Prints a colour in a form that every SVG program parses. */
export function printColor([red, green, blue, alpha]: Rgba): string {
  const hex = [red, green, blue].map((byte) => Math.round(byte).toString(16).padStart(2, '0')).join('');
  return alpha >= 1 ? `#${hex}` : `rgba(${Math.round(red)}, ${Math.round(green)}, ${Math.round(blue)}, ${Number(alpha.toFixed(3))})`;
}

export interface Look {
  readonly theme: Theme;
  readonly palette: Palette;
}

/** Determines the look of a figure on a page. The theme follows the background of the page if it is opaque. */
export function resolveLook({ color, preferredTheme, isForced }: PageColors): Look {
  const readColor = (property: string, systemColor: string) => color(isForced ? systemColor : property);
  const background = readColor(...BACKGROUND_COLORS);
  const opaqueBackground = background && background[3] >= 0.5 ? background : undefined;
  const theme = opaqueBackground ? (isDark(opaqueBackground) ? 'dark' : 'light') : preferredTheme;
  const tones: Record<string, string> = { ...PALETTES[theme].tones };
  // The halo around the cursor has the colour of the background.
  if (opaqueBackground) tones.halo = printColor(opaqueBackground);
  for (const [property, systemColor, names] of COLOR_PROPERTIES) {
    const toneColor = readColor(property, systemColor);
    if (toneColor) for (const name of names) tones[name] = printColor(toneColor);
  }
  return { theme, palette: { ground: background ? printColor(background) : PALETTES[theme].ground, tones: tones as Palette['tones'] } };
}

/** The look of a figure outside a page. */
export const createLook = (theme: Theme): Look => ({ theme, palette: PALETTES[theme] });
