// A kind of figure as a separate picture, for the wall of all kinds.

import { PALETTES } from '../../charts/render/palette.ts';
import { toSvg } from '../../charts/render/svg.ts';
import { kinds } from '../../figure/contract/all-kinds.ts';
import type { KindContext } from '../../figure/contract/kind.ts';
import { readSpec } from '../../figure/contract/spec.ts';
import { pngAddress } from '../../package/png.ts';
import { shortPaths } from '../still.ts';

/** The width of a column of the wall, px: letters keep their size. */
export const TILE_WIDTH = 384;
const MAX_HEIGHT = 380;

export interface Tile {
  readonly id: string;
  readonly question: string;
  /** px */
  readonly height: number;
  /** SVG files. */
  readonly light: string;
  readonly dark: string;
}

/** With the default fields of a figure. */
export async function tileOf(id: string, means: KindContext): Promise<Tile> {
  const kind = kinds[id];
  if (!kind) throw new Error(`there is no kind ${id}`);
  const spec = readSpec(kind, {});
  const numbers = await kind.compute(spec, means);
  const [light, dark] = (['light', 'dark'] as const).map((theme) => {
    const { picture } = kind.scene(numbers, spec, { width: TILE_WIDTH, theme, maxHeight: MAX_HEIGHT });
    return { height: picture.height, svg: shortPaths(toSvg(picture, pngAddress, PALETTES[theme])) };
  });
  if (!light || !dark) throw new Error(`${id} has no picture`);
  return { id, question: kind.question, height: light.height, light: light.svg, dark: dark.svg };
}
