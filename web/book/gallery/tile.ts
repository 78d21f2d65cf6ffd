// A figure as a complete separate picture, for the gallery and the contents of the book.

import { PALETTES } from '../../charts/render/palette.ts';
import { toSvg } from '../../charts/render/svg.ts';
import { kinds } from '../../figure/contract/all-kinds.ts';
import type { KindContext } from '../../figure/contract/kind.ts';
import { type RawFields, readSpec } from '../../figure/contract/spec.ts';
import { pngAddress } from '../../package/png.ts';
import { shortPaths } from '../still.ts';

/** The widths of a tile, px: one column, or two for a picture with parts side by side. Letters keep their size. */
const ROOMS = [
  { width: 384, maxHeight: 380 },
  { width: 810, maxHeight: 330 },
  { width: 810, maxHeight: 255 },
] as const;
/** A higher picture is drawn at the next width. */
const HIGHEST = 420;

export interface Tile {
  readonly id: string;
  readonly question: string;
  /** px */
  readonly width: number;
  readonly height: number;
  /** SVG files. */
  readonly light: string;
  readonly dark: string;
}

/** A kind with its fields; default: the initial ones. */
export async function tileOf(id: string, means: KindContext, fields: RawFields = {}): Promise<Tile> {
  const kind = kinds[id];
  if (!kind) throw new Error(`there is no kind ${id}`);
  const spec = readSpec(kind, fields);
  const numbers = await kind.compute(spec, means);
  const drawn = (room: (typeof ROOMS)[number], theme: 'light' | 'dark') => kind.scene(numbers, spec, { ...room, theme }).picture;
  const room = ROOMS.find((one) => drawn(one, 'light').height <= HIGHEST) ?? ROOMS[2];
  const svg = (theme: 'light' | 'dark'): string => shortPaths(toSvg(drawn(room, theme), pngAddress, PALETTES[theme]));
  const { width, height } = drawn(room, 'light');
  return { id, question: kind.question, width, height, light: svg('light'), dark: svg('dark') };
}
