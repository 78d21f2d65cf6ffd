// A photograph, cut into patches and shuffled.
import type { Mark } from '../../../charts/picture.ts';
import { readSpec } from '../../../figure/contract/spec.ts';
import { computePatches, countPatchesPerSide } from '../../../figure/kinds/patches/compute.ts';
import { kind } from '../../../figure/kinds/patches/index.ts';
import { arrangePixels } from '../../../figure/kinds/patches/pixels.ts';
import { PHOTOGRAPH_SIDE } from '../../../figure/runtime/photographs.ts';
import type { Poster } from '../poster.ts';
import { POSTER_SIDE } from '../poster.ts';

const fields = { encoding: 'none', arrangement: 'shuffled', patch: '8' };
const LINE_WIDTH = 5;

export const poster: Poster = {
  id: 'patches',
  title: 'Patches of a picture',
  caption: 'A photograph in 64 patches: without positions, a transformer does not notice that they are shuffled',
  figure: { kind: 'patches', fields },
  to: 'book/beyond-text/#numbering-is-not-enough',
  async compute(_, context) {
    const spec = readSpec(kind, fields);
    const { order, embeddings } = await computePatches(spec, context);
    const rgba = arrangePixels(embeddings, Number(spec.patch), order);
    const patchesPerSide = countPatchesPerSide(spec);
    return ({ palette: { ground } }) => ({
      rasters: [{ x: 0, y: 0, width: POSTER_SIDE, height: POSTER_SIDE, rows: PHOTOGRAPH_SIDE, columns: PHOTOGRAPH_SIDE, rgba }],
      marks: Array.from({ length: patchesPerSide - 1 }, (_, index): readonly Mark[] => {
        const linePosition = ((index + 1) * POSTER_SIDE) / patchesPerSide;
        const line = { kind: 'line', tone: 'halo', stroke: LINE_WIDTH, color: ground } as const;
        return [
          { ...line, x1: linePosition, x2: linePosition, y1: 0, y2: POSTER_SIDE },
          { ...line, x1: 0, x2: POSTER_SIDE, y1: linePosition, y2: linePosition },
        ];
      }).flat(),
    });
  },
};
