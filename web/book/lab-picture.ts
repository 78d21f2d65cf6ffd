// The static picture of the Lab's initial sentence, shown until the interactive figure is ready.
import type { KindContext } from '../figure/contract/kind.ts';
import { readSpec } from '../figure/contract/spec.ts';
import { kind } from '../figure/kinds/sentence/index.ts';
import { SENTENCE_HEIGHTS } from '../lab/page/sentence-height.ts';
import { toSharedFields } from '../lab/state/sharing.ts';
import { INITIAL_STATE } from '../lab/state/state.ts';
import { drawStillPictures } from './still.ts';

/** Draws the picture as SVG for wide and for narrow windows, at two heights each. */
export async function drawLabPicture(context: KindContext): Promise<string> {
  const spec = readSpec(kind, { ...toSharedFields(INITIAL_STATE), clocks: false });
  const results = await kind.compute(spec, context);
  return Object.entries(SENTENCE_HEIGHTS)
    .map(([name, maxHeight]) =>
      drawStillPictures((width, theme) => kind.scene(results, spec, { width, theme, maxHeight }).picture, {
        wide: `wide ${name}`,
        narrow: `narrow ${name}`,
      }),
    )
    .join('');
}
