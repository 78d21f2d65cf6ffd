// Generates the static HTML of a book figure: its text in a declarative shadow root, and its picture in the light DOM. One SVG serves both themes,
// because its colours are custom properties.

import { escapeMarkup } from '../charts/escaped.ts';
import type { Picture, Theme } from '../charts/picture.ts';
import { PALETTES, type Palette } from '../charts/render/palette.ts';
import { toSvg } from '../charts/render/svg.ts';
import { kinds } from '../figure/contract/all-kinds.ts';
import { parseSettings } from '../figure/contract/attributes.ts';
import type { KindContext } from '../figure/contract/kind.ts';
import { type RawFields, readSpec } from '../figure/contract/spec.ts';
import { drawScene } from '../figure/contract/untrained.ts';
import { renderTagParts, type TagParts } from '../package/figure-tag.ts';
import { toPngUrl } from '../package/png.ts';
import { formatCssHeight } from './picture-height.ts';

/** Picture widths in CSS px: the maximum figure width, a medium width, and the figure width on a 390 px phone. */
export const WIDTHS = { wide: 960, medium: 640, narrow: 358 } as const;

/** Range of figure widths in CSS px on medium pages (styles/figures.css). */
const MEDIUM_WIDTHS = [513, 751] as const;

/** A palette of CSS custom properties, as in web/charts/palette.css. */
const CUSTOM_PROPERTIES: Palette = {
  ground: 'var(--ground)',
  tones: Object.fromEntries(Object.keys(PALETTES.light.tones).map((tone) => [tone, `var(--${tone})`])) as Palette['tones'],
};

/** SVG elements whose colours may differ between themes: rasters, text on rasters, and marks coloured by value. */
const THEMED_ELEMENT = /<(image|text|path) [^>]*(?:\/>|>[^<]*<\/\1>)/g;

const formatTenths = (count: number): string => String(count / 10).replace(/^(-?)0\./, '$1.');

/** Converts polylines to relative coordinates, rounded to tenths of a pixel, because these compress better. Other paths are unchanged. */
export const shortenPaths = (svg: string): string =>
  svg.replace(/ d="((?:M-?[\d.]+,-?[\d.]+(?:L-?[\d.]+,-?[\d.]+)*Z?)+)"/g, (_, path: string) => {
    let [x, y] = [0, 0];
    const relativePath = path.replace(/([ML])([^,]+),([^MLZ]+)/g, (_, command: string, right: string, down: string) => {
      const endPoint = [Math.round(Number(right) * 10), Math.round(Number(down) * 10)] as const;
      const pathCommand =
        command === 'M'
          ? `M${formatTenths(endPoint[0])},${formatTenths(endPoint[1])}`
          : `l${formatTenths(endPoint[0] - x)},${formatTenths(endPoint[1] - y)}`;
      [x, y] = endPoint;
      return pathCommand;
    });
    return ` d="${relativePath}"`;
  });

/** Merges the light and the dark SVG of a picture. Elements that differ are included once per theme. */
function mergeThemes(light: string, dark: string, size: string): string {
  const addClass = (svg: string, name: string): string => svg.replace('<svg ', `<svg class="${name}" preserveAspectRatio="xMidYMin" `);
  if (light === dark) return addClass(light, `still ${size}`);
  const darkElements: readonly string[] = dark.match(THEMED_ELEMENT) ?? [];
  if (
    light.match(THEMED_ELEMENT)?.length !== darkElements.length ||
    light.replace(THEMED_ELEMENT, '') !== dark.replace(THEMED_ELEMENT, '')
  ) {
    return addClass(light, `still ${size} for-light`) + addClass(dark, `still ${size} for-dark`);
  }
  const addThemeClass = (element: string, theme: Theme): string => element.replace(' ', ` class="for-${theme}" `);
  let elementIndex = 0;
  const themedSvg = light.replace(THEMED_ELEMENT, (lightElement) => {
    const darkElement = darkElements[elementIndex++] ?? lightElement;
    return darkElement === lightElement ? lightElement : addThemeClass(lightElement, 'light') + addThemeClass(darkElement, 'dark');
  });
  return addClass(themedSvg, `still ${size}`);
}

type DrawPicture = (width: number, theme: Theme) => Picture;
const drawSvg = (drawPicture: DrawPicture, width: number, theme: Theme, palette = CUSTOM_PROPERTIES): string =>
  shortenPaths(toSvg(drawPicture(width, theme), toPngUrl, palette));

/** Returns a picture's SVG elements, one per size. `stills` maps each size to the page sizes that show it, such as 'wide medium'. */
export const drawStillPictures = (
  drawPicture: DrawPicture,
  stills: { readonly [Size in keyof typeof WIDTHS]?: string },
  widths: { readonly [Size in keyof typeof WIDTHS]: number } = WIDTHS,
): string =>
  Object.entries(stills)
    .map(([size, pages]) => {
      const width = widths[size as keyof typeof WIDTHS];
      return mergeThemes(drawSvg(drawPicture, width, 'light'), drawSvg(drawPicture, width, 'dark'), pages);
    })
    .join('');

export interface StillFigure extends TagParts {
  /** The SVG elements of the picture, one per size. */
  readonly picture: string;
  /** Height in px on a wide page, and as a CSS expression of the width for `calc()`. */
  readonly height: { readonly wide: number; readonly byRoom: string };
  /** The picture in light colours, as a separate file for a chapter card. */
  readonly card: string;
  readonly question: string;
  readonly hasBelow: boolean;
}

interface StillOptions {
  readonly attributes: Readonly<Record<string, string>>;
  /** Width in CSS px on a wide page, if the figure is beside another one. */
  readonly room?: number | undefined;
}

/** Computes a figure and draws its pictures. Throws a SpecError or a PhasorError. */
export async function drawStill(
  id: string,
  fields: RawFields,
  { attributes, room = WIDTHS.wide }: StillOptions,
  context: KindContext,
): Promise<StillFigure> {
  const kind = kinds[id];
  if (!kind) throw new Error(`unknown figure kind ${id}`);
  const spec = readSpec(kind, fields);
  const results = await kind.compute(spec, context);
  const settings = parseSettings((name) => attributes[name] ?? null);
  const heightLimit = settings.maxHeight;
  const drawPicture = (width: number, theme: Theme): Picture => {
    const frame = { width, theme, ...(heightLimit === undefined ? {} : { maxHeight: heightLimit }) };
    return drawScene(kind, { results, spec }, frame, context.engine.encodings).picture;
  };
  const heights = new Map<number, number>();
  const getHeight = (width: number): number => {
    if (!heights.has(width)) heights.set(width, drawPicture(width, 'light').height);
    return heights.get(width) as number;
  };
  const byRoom = formatCssHeight(getHeight);
  const wideHeight = getHeight(room);
  const hasMedium = [...heights].some(([width, height]) => width >= MEDIUM_WIDTHS[0] && width <= MEDIUM_WIDTHS[1] && height > wideHeight);
  // Maps each picture size to the page sizes at which it is shown.
  const stills = hasMedium ? { wide: 'wide', medium: 'medium', narrow: 'narrow' } : { wide: 'wide medium', narrow: 'narrow' };
  const attributeTexts = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`);
  const { startTag, shadowContent } = renderTagParts({
    kind,
    spec,
    results,
    settings,
    encodings: context.engine.encodings,
    contentBelow: await kind.staticBelow?.(results, spec, settings.lock),
  });
  return {
    startTag: startTag.replace('<phasor-figure', (tagStart) => `${tagStart}${attributeTexts.join('')}`),
    shadowContent,
    picture: drawStillPictures(drawPicture, stills, { ...WIDTHS, wide: room }),
    height: { wide: wideHeight, byRoom },
    card: drawSvg(drawPicture, 1080, 'light', PALETTES.light),
    question: kind.question,
    hasBelow: kind.staticBelow !== undefined,
  };
}
