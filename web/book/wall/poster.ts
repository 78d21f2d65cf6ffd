// The interface of the posters on the front page.

import type { Mark, Raster } from '../../charts/picture.ts';
import type { Phasor } from '../../engine/index.ts';
import type { KindContext } from '../../figure/contract/kind.ts';
import type { PosterStyle } from './wall-look.ts';

/** The side length of all posters in px; pages scale posters down. */
export const POSTER_SIDE = 400;

export interface Drawing {
  readonly rasters?: readonly Raster[];
  readonly marks?: readonly Mark[];
}

export type DrawPoster = (look: PosterStyle) => Drawing;

export interface Poster {
  /** The poster's file name without its extension. */
  readonly id: string;
  readonly title: string;
  /** The caption, including the sizes of the data. */
  readonly caption: string;
  /** The live figure that the poster links to: a kind and its fields. */
  readonly figure: { readonly kind: string; readonly fields: Readonly<Record<string, string>> };
  /** The page and section that explain the picture, as a path relative to the root of the site. */
  readonly to: string;
  /** Computes the poster's numbers once; the returned function draws them in the colours of a theme. */
  compute(phasor: Phasor, context: KindContext): DrawPoster | Promise<DrawPoster>;
}
