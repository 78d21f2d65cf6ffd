// The colours of a figure: those of its theme, with the custom properties of the page, or the system's forced colours, in place of some.
import type { Theme } from '../../charts/picture.ts';
import { COLORS, PALETTES, type Palette } from '../../charts/render/palette.ts';

/** Custom properties of the page, the system colours that replace them where colours are forced, and the entries of the palette they are for. */
const PROPERTIES = [
  ['--phasor-text', 'CanvasText', ['ink']],
  ['--phasor-muted', 'CanvasText', ['muted']],
  ['--phasor-border', 'GrayText', ['hairline']],
  ['--phasor-accent', 'Highlight', ['accent', 'cursor', 'series-1']],
] as const;
const BACKGROUND = ['--phasor-background', 'Canvas'] as const;

/** The colours in the style sheet of a figure, by theme: the custom properties of the page, or else the palette. */
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
export interface Surroundings {
  /** A custom property, or a system colour, as numbers; undefined when it is not set or no colour. */
  color(name: string): Rgba | undefined;
  /** The theme of what the figure is on. */
  readonly preferred: Theme;
  /** Whether the system has taken colours over (forced-colors: active). */
  readonly forced: boolean;
}

/** Whether a ground is dark: by relative luminance (WCAG 2). */
export function isDark([red, green, blue]: Rgba): boolean {
  const [r = 1, g = 1, b = 1] = [red, green, blue].map((byte) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.2;
}

/** As every program that reads SVG understands it, whatever the page has written. */
export function printColor([red, green, blue, alpha]: Rgba): string {
  const hex = [red, green, blue].map((byte) => Math.round(byte).toString(16).padStart(2, '0')).join('');
  return alpha >= 1 ? `#${hex}` : `rgba(${Math.round(red)}, ${Math.round(green)}, ${Math.round(blue)}, ${Number(alpha.toFixed(3))})`;
}

export interface Look {
  readonly theme: Theme;
  readonly palette: Palette;
}

/** The look of a figure in its page. The theme follows the ground if the page sets one that is opaque. */
export function lookOf({ color, preferred, forced }: Surroundings): Look {
  const asked = (property: string, system: string) => color(forced ? system : property);
  const ground = asked(...BACKGROUND);
  const opaque = ground && ground[3] >= 0.5 ? ground : undefined;
  const theme = opaque ? (isDark(opaque) ? 'dark' : 'light') : preferred;
  const tones: Record<string, string> = { ...PALETTES[theme].tones };
  // The halo is drawn around what is pointed at, in the colour of the ground.
  if (opaque) tones.halo = printColor(opaque);
  for (const [property, system, names] of PROPERTIES) {
    const found = asked(property, system);
    if (found) for (const name of names) tones[name] = printColor(found);
  }
  return { theme, palette: { ground: ground ? printColor(ground) : PALETTES[theme].ground, tones: tones as Palette['tones'] } };
}

/** The look without a page. */
export const plainLook = (theme: Theme): Look => ({ theme, palette: PALETTES[theme] });
