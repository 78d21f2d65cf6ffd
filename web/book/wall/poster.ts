// The side of every poster, px; pages show it scaled down.

import type { Mark, Raster } from '../../charts/picture.ts';
import type { Phasor } from '../../engine/index.ts';
import type { KindContext } from '../../figure/contract/kind.ts';
import type { WallLook } from './wall-look.ts';

/** The side of every poster, px; pages show it smaller. */
export const SIDE = 400;

export interface Drawing {
  readonly rasters?: readonly Raster[];
  readonly marks?: readonly Mark[];
}

export type Draw = (look: WallLook) => Drawing;

export interface Poster {
  /** The name of its file. */
  readonly id: string;
  readonly title: string;
  /** The caption, which states the sizes. */
  readonly caption: string;
  /** The live figure that it opens: a kind with fields. */
  readonly figure: { readonly kind: string; readonly fields: Readonly<Record<string, string>> };
  /** The page and section that explain it, as a path from the root of the site. */
  readonly to: string;
  /** Computes the numbers once, with an engine or as the figure does; the result draws them in the colours of a theme. */
  numbers(phasor: Phasor, context: KindContext): Draw | Promise<Draw>;
}
