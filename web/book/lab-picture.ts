// The first picture of the Lab, which is in its page until the live one is there: its sentence at first, drawn by the kind itself.
import type { Means } from '../figure/contract/kind.ts';
import { readSpec } from '../figure/contract/spec.ts';
import { kind } from '../figure/kinds/sentence/index.ts';
import { sharedFields } from '../lab/state/sharing.ts';
import { INITIAL } from '../lab/state/state.ts';
import { stillPictures } from './still.ts';

/** The height of the sentence at most, px: as in web/lab/index.html. */
const MOST = 206;

/** As SVG, for windows that are wide and for narrow ones. */
export async function labPicture(means: Means): Promise<string> {
  const spec = readSpec(kind, { ...sharedFields(INITIAL), clocks: false });
  const numbers = await kind.compute(spec, means);
  return stillPictures((width, theme) => kind.scene(numbers, spec, { width, theme, maxHeight: MOST }).picture, {
    wide: 'wide',
    narrow: 'narrow',
  });
}
