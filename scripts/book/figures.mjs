// Figures of the book as HTML. What a figure looks like follows from its fields and the sources alone, so it is kept between builds.
import { diskCache, hashOf } from './disk-cache.mjs';
import { BookProblem } from './problem.mjs';

/** What pictures are made from. */
const SOURCES = [
  'web/figure',
  'web/views',
  'web/sentence',
  'web/encodings',
  'web/package',
  'web/lab/state/state.ts',
  'web/lab/questions',
  'web/book/axes.ts',
  'web/book/still.ts',
  'web/book/gallery',
  'web/book/picture-height.ts',
  'web/book/lab-link.ts',
  'build/wasm/phasor-simd.wasm',
  'public/data',
];

/**
 * @returns {{ figures: (figure: object) => Promise<{ still: object, lab: string }>, axes: (figure: object) => Promise<object>, tile: (id: string) => Promise<object> }} what draws the
 *   figures of chapters, and what says which axes the picture of one has; both read its fields, which may be wrong
 */
export function figureMaker(kit, means) {
  const seed = hashOf(SOURCES);
  const [keepStill, keepAxes, keepTile] = ['figures', 'axes', 'tiles'].map((name) => diskCache(name, seed));
  function read({ kind: id, fields, place }) {
    const kind = kit.kinds[id];
    if (!kind) throw new BookProblem(`figure: ${kit.WORDS.unknownKind(id, Object.keys(kit.kinds))}`, place);
    try {
      return { kind, spec: kit.readSpec(kind, fields) };
    } catch (thrown) {
      throw thrown instanceof kit.SpecError ? new BookProblem(`figure: ${thrown.message}`, place) : thrown;
    }
  }
  return {
    async figures(figure) {
      const { kind, spec } = read(figure);
      const { kind: id, fields, attributes, place } = figure;
      try {
        const still = await keepStill({ id, fields, attributes }, () => kit.stillOf(id, fields, attributes, means));
        return { still, lab: kit.labLink(kind, spec) };
      } catch (thrown) {
        throw new BookProblem(`figure: ${thrown instanceof Error ? thrown.message : String(thrown)}`, place);
      }
    },
    /** A kind on the wall of the gallery. */
    tile: (id) => keepTile(id, () => kit.tileOf(id, means)),
    axes(figure) {
      const { kind, spec } = read(figure);
      return keepAxes({ id: figure.kind, fields: figure.fields }, () => kit.axesOf(kind, spec, means));
    },
  };
}
