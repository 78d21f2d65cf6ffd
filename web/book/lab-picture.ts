// The still picture of the Lab's initial sentence, shown until the live one is ready.
import type { KindContext } from '../figure/contract/kind.ts';
import { readSpec } from '../figure/contract/spec.ts';
import { kind } from '../figure/kinds/sentence/index.ts';
import { SENTENCE_HEIGHT } from '../lab/page/sentence-height.ts';
import { sharedFields } from '../lab/state/sharing.ts';
import { INITIAL } from '../lab/state/state.ts';
import { stillPictures } from './still.ts';

/** SVG elements for wide and narrow windows, each in two heights. */
export async function labPicture(context: KindContext): Promise<string> {
  const spec = readSpec(kind, { ...sharedFields(INITIAL), clocks: false });
  const numbers = await kind.compute(spec, context);
  return Object.entries(SENTENCE_HEIGHT)
    .map(([name, maxHeight]) =>
      stillPictures((width, theme) => kind.scene(numbers, spec, { width, theme, maxHeight }).picture, {
        wide: `wide ${name}`,
        narrow: `narrow ${name}`,
      }),
    )
    .join('');
}
