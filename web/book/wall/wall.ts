// The posters on the front page, in order.

import { toSvg } from '../../charts/render/svg.ts';
import type { Phasor } from '../../engine/index.ts';
import type { KindContext } from '../../figure/contract/kind.ts';
import { toPngUrl } from '../../package/png.ts';
import type { Poster } from './poster.ts';
import { POSTER_SIDE } from './poster.ts';
import { poster as alibi } from './posters/alibi.ts';
import { poster as beat } from './posters/beat.ts';
import { poster as clocks } from './posters/clocks.ts';
import { poster as nautilus } from './posters/nautilus.ts';
import { poster as patches } from './posters/patches.ts';
import { poster as reach } from './posters/reach.ts';
import { poster as sinusoids } from './posters/sinusoids.ts';
import { poster as stretched } from './posters/stretched.ts';
import { createPosterStyle } from './wall-look.ts';

export const POSTERS: readonly Poster[] = [nautilus, beat, clocks, alibi, sinusoids, stretched, patches, reach];

const THEMES = ['light', 'dark'] as const;

export async function drawPosterSvgs(
  { title, caption, compute }: Poster,
  phasor: Phasor,
  context: KindContext,
): Promise<{ readonly [T in (typeof THEMES)[number]]: string }> {
  const draw = await compute(phasor, context);
  const [light, dark] = THEMES.map((theme) => {
    const style = createPosterStyle(theme);
    const { rasters = [], marks = [] } = draw(style);
    return toSvg({ width: POSTER_SIDE, height: POSTER_SIDE, title, description: caption, rasters, marks }, toPngUrl, style.palette);
  });
  return { light: light as string, dark: dark as string };
}
