// The colours of a figure in a page: from its background, its custom properties, or the system's forced colours.
import { expect, it } from 'vitest';
import { PALETTES } from '../../web/charts/render/palette.ts';
import { createLook, isDark, printColor, type Rgba, resolveLook } from '../../web/figure/contract/theme.ts';

const page = (colors: { readonly [name: string]: Rgba }, { preferred = 'light', forced: isForced = false } = {}) =>
  resolveLook({ color: (name) => colors[name], preferredTheme: preferred as 'light' | 'dark', isForced });

it('uses the colours of the theme if the page sets none', () => {
  expect(page({})).toEqual(createLook('light'));
  expect(page({}, { preferred: 'dark' })).toEqual({ theme: 'dark', palette: PALETTES.dark });
});

it('follows the background of the page rather than its preferred theme', () => {
  expect(page({ '--phasor-background': [20, 22, 26, 1] }).theme).toBe('dark');
  const theme = page({ '--phasor-background': [255, 250, 240, 1] }, { preferred: 'dark' });
  expect([theme.theme, theme.palette.ground, theme.palette.tones.halo]).toEqual(['light', '#fffaf0', '#fffaf0']);
  // A transparent background is ignored.
  const transparentPage = page({ '--phasor-background': [0, 0, 0, 0] });
  expect([transparentPage.theme, transparentPage.palette.ground, transparentPage.palette.tones.halo]).toEqual([
    'light',
    'rgba(0, 0, 0, 0)',
    PALETTES.light.tones.halo,
  ]);
});

it('uses the colours that the page sets and keeps the others', () => {
  const { tones } = page({ '--phasor-accent': [255, 0, 128, 1], '--phasor-text': [1, 2, 3, 0.5] }).palette;
  expect([tones.accent, tones.cursor, tones['series-1']]).toEqual(['#ff0080', '#ff0080', '#ff0080']);
  expect([tones.ink, tones.muted]).toEqual(['rgba(1, 2, 3, 0.5)', PALETTES.light.tones.muted]);
});

it('yields to forced colours', () => {
  const theme = page({ '--phasor-background': [255, 255, 255, 1], Canvas: [0, 0, 0, 1], CanvasText: [255, 255, 0, 1] }, { forced: true });
  expect([theme.theme, theme.palette.ground, theme.palette.tones.ink]).toEqual(['dark', '#000000', '#ffff00']);
});

it('distinguishes dark from light colours by luminance', () => {
  const colors: Rgba[] = [
    [255, 255, 0, 1],
    [0, 0, 255, 1],
    [118, 118, 118, 1],
    [0, 160, 0, 1],
  ];
  expect(colors.map(isDark)).toEqual([false, true, true, false]);
  expect(printColor([0.4, 15.6, 255, 1])).toBe('#0010ff');
});
