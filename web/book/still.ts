// A figure of the book before any script has run: its text in a declarative shadow root, and its picture in the page. One SVG serves both themes,
// because its colours are custom properties of the page; only rasters whose colours differ, and text on them, exist twice. There are pictures for
// wide and for narrow pages, and one for medium pages if the layout differs there.

import { escapeMarkup } from '../charts/escaped.ts';
import type { Picture, Theme } from '../charts/picture.ts';
import { PALETTES, type Palette } from '../charts/render/palette.ts';
import { toSvg } from '../charts/render/svg.ts';
import { kinds } from '../figure/contract/all-kinds.ts';
import { settingsFrom } from '../figure/contract/attributes.ts';
import type { KindContext } from '../figure/contract/kind.ts';
import { type RawFields, readSpec } from '../figure/contract/spec.ts';
import { shownScene } from '../figure/contract/untrained.ts';
import { type TagParts, tagParts } from '../package/figure-tag.ts';
import { pngAddress } from '../package/png.ts';
import { heightByRoom } from './picture-height.ts';

/** Picture widths in CSS px: the maximum figure width, a medium width, and the width on a 390 px phone. */
export const WIDTHS = { wide: 960, medium: 640, narrow: 358 } as const;

/** The minimum and maximum width in CSS px of a figure on a medium page (styles/figures.css). */
const MEDIUM = [513, 751] as const;

/** A palette of custom properties, as in web/charts/palette.css. */
const BY_NAME: Palette = {
  ground: 'var(--ground)',
  tones: Object.fromEntries(Object.keys(PALETTES.light.tones).map((tone) => [tone, `var(--${tone})`])) as Palette['tones'],
};

/** Marks with separate colours per theme: rasters, text on rasters, and marks coloured by numbers. */
const THEMED_ELEMENT = /<(image|text|path) [^>]*(?:\/>|>[^<]*<\/\1>)/g;

const tenths = (count: number): string => String(count / 10).replace(/^(-?)0\./, '$1.');

/**
 * Converts the points of lines to relative ones in tenths of a pixel, because curves make up most of a chapter's size, and small similar numbers
 * compress best. Other paths are unchanged.
 */
export const shortPaths = (svg: string): string =>
  svg.replace(/ d="((?:M-?[\d.]+,-?[\d.]+(?:L-?[\d.]+,-?[\d.]+)*Z?)+)"/g, (_, path: string) => {
    let [x, y] = [0, 0];
    const short = path.replace(/([ML])([^,]+),([^MLZ]+)/g, (_, command: string, right: string, down: string) => {
      const to = [Math.round(Number(right) * 10), Math.round(Number(down) * 10)] as const;
      const step = command === 'M' ? `M${tenths(to[0])},${tenths(to[1])}` : `l${tenths(to[0] - x)},${tenths(to[1] - y)}`;
      [x, y] = to;
      return step;
    });
    return ` d="${short}"`;
  });

/** Merges the SVG of one picture in two themes; differing parts are included once per theme. */
function merge(light: string, dark: string, size: string): string {
  const sized = (svg: string, name: string): string => svg.replace('<svg ', `<svg class="${name}" preserveAspectRatio="xMidYMin" `);
  if (light === dark) return sized(light, `still ${size}`);
  const theirs: readonly string[] = dark.match(THEMED_ELEMENT) ?? [];
  if (light.match(THEMED_ELEMENT)?.length !== theirs.length || light.replace(THEMED_ELEMENT, '') !== dark.replace(THEMED_ELEMENT, '')) {
    return sized(light, `still ${size} for-light`) + sized(dark, `still ${size} for-dark`);
  }
  const withTheme = (element: string, theme: Theme): string => element.replace(' ', ` class="for-${theme}" `);
  let at = 0;
  const bothThemes = light.replace(THEMED_ELEMENT, (one) => {
    const other = theirs[at++] ?? one;
    return other === one ? one : withTheme(one, 'light') + withTheme(other, 'dark');
  });
  return sized(bothThemes, `still ${size}`);
}

/** Draws the picture at a width and in a theme. */
type PictureOf = (width: number, theme: Theme) => Picture;
const svgOf = (pictureOf: PictureOf, width: number, theme: Theme, palette = BY_NAME): string =>
  shortPaths(toSvg(pictureOf(width, theme), pngAddress, palette));

/** The SVG of a picture at several widths, each with the pages that show it: 'wide medium'. */
export const stillPictures = (
  pictureOf: PictureOf,
  stills: { readonly [Size in keyof typeof WIDTHS]?: string },
  widths: { readonly [Size in keyof typeof WIDTHS]: number } = WIDTHS,
): string =>
  Object.entries(stills)
    .map(([size, pages]) => {
      const width = widths[size as keyof typeof WIDTHS];
      return merge(svgOf(pictureOf, width, 'light'), svgOf(pictureOf, width, 'dark'), pages);
    })
    .join('');

export interface Still extends TagParts {
  /** The picture at each width. */
  readonly picture: string;
  /** The height of the picture in px on a wide page, and as a function of the width for `calc()`. */
  readonly height: { readonly wide: number; readonly byRoom: string };
  /** The picture as a separate file in light colours, for a chapter card. */
  readonly card: string;
  readonly question: string;
  /** Whether the part of the surface below the picture is included. */
  readonly hasBelow: boolean;
}

/** Attributes of a figure's element other than its fields, and the figure's width. */
interface Placed {
  /** Further attributes, such as `group`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Width on a wide page in CSS px, if the figure has a neighbour. */
  readonly room?: number | undefined;
}

/** Computes and draws a kind of figure with these fields. Throws a SpecError or a PhasorError. */
export async function stillOf(
  id: string,
  provided: RawFields,
  { attributes, room = WIDTHS.wide }: Placed,
  means: KindContext,
): Promise<Still> {
  const kind = kinds[id];
  if (!kind) throw new Error(`unknown figure kind ${id}`);
  const spec = readSpec(kind, provided);
  const numbers = await kind.compute(spec, means);
  const settings = settingsFrom((name) => attributes[name] ?? null);
  const heightLimit = settings.maxHeight;
  const pictureOf = (width: number, theme: Theme): Picture => {
    const frame = { width, theme, ...(heightLimit === undefined ? {} : { maxHeight: heightLimit }) };
    return shownScene(kind, { numbers, spec }, frame, means.engine.encodings).picture;
  };
  const heights = new Map<number, number>();
  const heightAt = (width: number): number => {
    if (!heights.has(width)) heights.set(width, pictureOf(width, 'light').height);
    return heights.get(width) as number;
  };
  const byRoom = heightByRoom(heightAt);
  const wideHeight = heightAt(room);
  const hasMedium = [...heights].some(([width, height]) => width >= MEDIUM[0] && width <= MEDIUM[1] && height > wideHeight);
  // The pages that show each picture.
  const stills = hasMedium ? { wide: 'wide', medium: 'medium', narrow: 'narrow' } : { wide: 'wide medium', narrow: 'narrow' };
  const attributeTexts = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`);
  const { tag, words } = tagParts({
    kind,
    spec,
    numbers,
    settings,
    encodings: means.engine.encodings,
    below: await kind.below?.(numbers, spec, settings.lock),
  });
  return {
    tag: tag.replace('<phasor-figure', (begin) => `${begin}${attributeTexts.join('')}`),
    words,
    picture: stillPictures(pictureOf, stills, { ...WIDTHS, wide: room }),
    height: { wide: wideHeight, byRoom },
    card: svgOf(pictureOf, 1080, 'light', PALETTES.light),
    question: kind.question,
    hasBelow: kind.below !== undefined,
  };
}
