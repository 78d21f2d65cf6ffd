// The colours and the font of marks on a canvas and in a file, where there is no style sheet. views.css has the same colours for the
// page; a test compares the two.
import type { Theme, Tone } from '../picture.ts';

/** The font of pictures: the system's sans-serif font. */
export const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif';

/** That of prose, for the few marks that are read as prose is. */
export const SERIF = '"Source Serif 4", "Source Serif 4 Variable", Charter, "Iowan Old Style", Georgia, serif';

export interface Palette {
  /** Background colour. */
  readonly ground: string;
  readonly tones: { readonly [T in Tone]: string };
}

export const PALETTES: { readonly [T in Theme]: Palette } = {
  light: {
    ground: '#fbf9f4',
    tones: {
      ink: '#1f2328',
      muted: '#5c6066',
      hairline: '#d6d1c4',
      accent: '#0f766e',
      cursor: '#0b5c56',
      halo: '#fbf9f4',
      hatch: '#aaa499',
      wedge: '#f4ce81',
      changed: '#8a4b08',
      'series-1': '#0f766e',
      'series-2': '#b4500b',
      'series-3': '#2456b8',
      'series-4': '#8a3ab0',
      'series-5': '#5c6066',
      'series-6': '#a8305a',
    },
  },
  dark: {
    ground: '#14161a',
    tones: {
      ink: '#ece9e2',
      muted: '#a3a6ab',
      hairline: '#3a3e46',
      accent: '#2dd4bf',
      cursor: '#7ff0e2',
      halo: '#14161a',
      hatch: '#6b6f78',
      wedge: '#f0cf76',
      changed: '#f2b66b',
      'series-1': '#2dd4bf',
      'series-2': '#f59e56',
      'series-3': '#7fb0ff',
      'series-4': '#cf9bf0',
      'series-5': '#a3a6ab',
      'series-6': '#f58fb0',
    },
  },
};
