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
  'web/book/node.ts',
  'web/book/still.ts',
  'web/book/gallery',
  'web/book/picture-height.ts',
  'web/book/lab-link.ts',
  'build/wasm/phasor.wasm',
  'build/wasm/phasor-nn.wasm',
  'public/data',
  'public/models/index.json',
];

/**
 * @returns {{ figures: (figure: object) => Promise<{ still: object, lab: string, sentence?: string }>, axes: (figure: object) => Promise<object>, tile: (id: string) => Promise<object> }} what draws the
 *   figures of chapters, and what says which axes the picture of one has; both read its fields, which may be wrong
 */
export function figureMaker(modules, means) {
  const seed = hashOf(SOURCES);
  const [keepStill, keepAxes, keepTile] = ['figures', 'axes', 'tiles'].map((name) => diskCache(name, seed));
  function read({ kind: id, fields, place }) {
    const kind = modules.kinds[id];
    if (!kind) throw new BookProblem(`figure: ${modules.WORDS.unknownKind(id, Object.keys(modules.kinds))}`, place);
    try {
      return { kind, spec: modules.readSpec(kind, fields) };
    } catch (thrown) {
      throw thrown instanceof modules.SpecError ? new BookProblem(`figure: ${thrown.message}`, place) : thrown;
    }
  }
  return {
    async figures(figure) {
      const { kind, spec } = read(figure);
      const { kind: id, fields, attributes, room, place } = figure;
      try {
        const still = await keepStill({ id, fields, attributes, room }, () => modules.stillOf(id, fields, { attributes, room }, means));
        // Another sentence may have other words, so that an order or a row that is asked for would be of none of them.
        const isBooks = spec.text === modules.EXAMPLE && !('order' in fields);
        return { still, lab: modules.labLink(kind, spec), sentence: isBooks ? spec.text : undefined };
      } catch (thrown) {
        throw new BookProblem(`figure: ${thrown instanceof Error ? thrown.message : String(thrown)}`, place);
      }
    },
    /** A kind on the wall of the gallery. */
    tile: (id) => keepTile(id, () => modules.tileOf(id, means)),
    axes(figure) {
      const { kind, spec } = read(figure);
      return keepAxes({ id: figure.kind, fields: figure.fields }, () => modules.axesOf(kind, spec, means));
    },
  };
}
