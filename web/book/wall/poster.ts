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

export type DrawPoster = (style: PosterStyle) => Drawing;

export interface Poster {
  /** The poster's file name without its extension. */
  readonly id: string;
  readonly title: string;
  /** Caption, with the dimensions of the data. */
  readonly caption: string;
  /** Kind and fields of the interactive figure that the poster links to. */
  readonly figure: { readonly kind: string; readonly fields: Readonly<Record<string, string>> };
  /** Page and section that explain the poster, as a path relative to the site root. */
  readonly to: string;
  /** Computes the poster's data once. The returned function draws it in a theme's colours. */
  compute(phasor: Phasor, context: KindContext): DrawPoster | Promise<DrawPoster>;
}
