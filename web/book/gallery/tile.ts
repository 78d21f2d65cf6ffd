// Draws a figure as a static picture, for the gallery and the book's table of contents.

import { PALETTES } from '../../charts/render/palette.ts';
import { toSvg } from '../../charts/render/svg.ts';
import { kinds } from '../../figure/contract/all-kinds.ts';
import type { KindContext } from '../../figure/contract/kind.ts';
import { type RawFields, readSpec } from '../../figure/contract/spec.ts';
import { toPngUrl } from '../../package/png.ts';
import { shortenPaths } from '../still.ts';

/** Tile sizes in px, tried in order: one column wide, then two columns for pictures with panels side by side. */
const TILE_SIZES = [
  { width: 384, maxHeight: 380 },
  { width: 810, maxHeight: 330 },
  { width: 810, maxHeight: 255 },
] as const;
/** Maximum height in px; a taller picture is redrawn at the next size. */
const MAX_TILE_HEIGHT = 420;

export interface Tile {
  readonly id: string;
  readonly question: string;
  /** Width in px. */
  readonly width: number;
  readonly height: number;
  readonly light: string;
  readonly dark: string;
}

/** Draws the tile of a figure. Omitted fields have their initial values. */
export async function drawTile(id: string, context: KindContext, fields: RawFields = {}): Promise<Tile> {
  const kind = kinds[id];
  if (!kind) throw new Error(`unknown figure kind ${id}`);
  const spec = readSpec(kind, fields);
  const results = await kind.compute(spec, context);
  const draw = (tileSize: (typeof TILE_SIZES)[number], theme: 'light' | 'dark') =>
    kind.scene(results, spec, { ...tileSize, theme }).picture;
  const tileSize = TILE_SIZES.find((candidate) => draw(candidate, 'light').height <= MAX_TILE_HEIGHT) ?? TILE_SIZES[2];
  const toTileSvg = (theme: 'light' | 'dark'): string => shortenPaths(toSvg(draw(tileSize, theme), toPngUrl, PALETTES[theme]));
  const { width, height } = draw(tileSize, 'light');
  return { id, question: kind.question, width, height, light: toTileSvg('light'), dark: toTileSvg('dark') };
}
