// Writes a picture as a standalone SVG file with embedded rasters. It needs no DOM, so it also runs at build time.
import { escapeMarkup } from '../escaped.ts';
import type { Picture, Raster } from '../picture.ts';
import { formatLength, toSvgElement } from './attributes.ts';
import { FONT, type Palette } from './palette.ts';

/** Encodes a raster as a PNG image of columns x rows pixels. @returns a data URL */
export type PngEncoder = (raster: Raster) => string;

// Control characters and lone surrogates are not allowed in XML, not even escaped.
const escapeXml = (text: string): string =>
  escapeMarkup(text.replace(/[^\P{Cc}\t\n\r]|[\p{Cs}\ufffe\uffff]/gu, '\ufffd')).replaceAll('>', '&gt;');

const tag = (name: string, attributes: { readonly [name: string]: string }, content = ''): string => {
  const attributeText = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('');
  return content ? `<${name}${attributeText}>${content}</${name}>` : `<${name}${attributeText}/>`;
};

function image(raster: Raster, encodePng: PngEncoder): string {
  const { x, y, width, height } = raster;
  const isShrunk = width < raster.columns || height < raster.rows;
  return tag('image', {
    x: formatLength(x),
    y: formatLength(y),
    width: formatLength(width),
    height: formatLength(height),
    preserveAspectRatio: 'none',
    href: encodePng(raster),
    ...(isShrunk ? {} : { style: 'image-rendering: pixelated' }),
  });
}

export function toSvg(picture: Picture, encodePng: PngEncoder, palette: Palette): string {
  const { width, height } = picture;
  const marks = picture.marks.map((mark) => {
    const { name, attributes, text } = toSvgElement(mark, palette.tones[mark.tone]);
    return tag(name, attributes, text === undefined ? '' : escapeXml(text));
  });
  const lines = [
    `<title>${escapeXml(picture.title)}</title>`,
    `<desc>${escapeXml(picture.description)}</desc>`,
    tag('rect', { width: formatLength(width), height: formatLength(height), fill: palette.ground }),
    ...picture.rasters.map((raster) => image(raster, encodePng)),
    ...marks,
  ];
  return `${tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: formatLength(width),
      height: formatLength(height),
      viewBox: `0 0 ${formatLength(width)} ${formatLength(height)}`,
      role: 'img',
      'font-family': FONT,
      style: 'font-variant-numeric: tabular-nums',
    },
    `\n${lines.join('\n')}\n`,
  )}\n`;
}
