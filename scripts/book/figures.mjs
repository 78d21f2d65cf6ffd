// Draws the figures of the book. A figure depends only on its fields and the sources of its kind (the seed), so it is cached between builds.
import { diskCache } from './disk-cache.mjs';
import { BookProblem } from './problem.mjs';

/** @import { RawFields } from '../../web/figure/contract/spec.ts' */
/** @import { KindContext } from '../../web/figure/contract/kind.ts' */
/** @import { Place } from './problem.mjs' */
/** @import { Modules } from './web-modules.mjs' */

/** @typedef {Awaited<ReturnType<Modules['stillOf']>>} Still */
/** @typedef {Awaited<ReturnType<Modules['axesOf']>>} Axes */
/** @typedef {Awaited<ReturnType<Modules['tileOf']>>} Tile */
/**
 * A figure as specified in the text.
 * @typedef {object} GivenFigure
 * @property {string} kind
 * @property {RawFields} fields
 * @property {Record<string, string>} attributes of the element
 * @property {number | undefined} [room] its width on a wide page in CSS px
 * @property {Place | undefined} [place]
 */
/** @typedef {{ still: Still, lab: string | undefined, sentence: string | undefined }} MadeFigure `lab`: the part of the Lab's address after '#', if the Lab shows this kind */

/**
 * Functions that draw figures and return the axes of their pictures. They throw a BookProblem for wrong fields.
 * @param {Modules} modules
 * @param {KindContext} means
 * @param {(kind: string) => string} seedOf returns the digest of the sources of a kind
 */
export function figureMaker(modules, means, seedOf) {
  /** @param {Pick<GivenFigure, 'kind' | 'fields' | 'place'>} figure */
  function read({ kind: id, fields, place }) {
    const kind = modules.kinds[id];
    if (!kind) throw new BookProblem(`figure: ${modules.STRINGS.unknownKind(id, Object.keys(modules.kinds))}`, place);
    try {
      return { kind, spec: modules.readSpec(kind, fields) };
    } catch (thrown) {
      throw thrown instanceof modules.SpecError ? new BookProblem(`figure: ${thrown.message}`, place) : thrown;
    }
  }
  return {
    /** @param {GivenFigure} figure @returns {Promise<MadeFigure>} */
    async figures(figure) {
      const { kind, spec } = read(figure);
      const { kind: id, fields, attributes, room, place } = figure;
      try {
        const keep = diskCache('figures', seedOf(id));
        const still = await keep({ id, fields, attributes, room }, () => modules.stillOf(id, fields, { attributes, room }, means));
        // The user may replace the example sentence, except in a figure with a fixed order of its words.
        const isBooks = spec.text === modules.EXAMPLE_SENTENCE && !('order' in fields);
        return { still, lab: modules.isInLab(id) ? modules.labLink(kind, spec) : undefined, sentence: isBooks ? spec.text : undefined };
      } catch (thrown) {
        throw new BookProblem(`figure: ${thrown instanceof Error ? thrown.message : String(thrown)}`, place);
      }
    },
    /** The picture of a kind in the gallery, or of a chapter in the contents of the book. @param {string} id @param {RawFields} [fields] */
    tile: (id, fields = {}) => diskCache('tiles', seedOf(id))({ id, fields }, () => modules.tileOf(id, means, fields)),
    /** @param {Pick<GivenFigure, 'kind' | 'fields' | 'place'>} figure */
    axes(figure) {
      const { kind, spec } = read(figure);
      return diskCache('axes', seedOf(figure.kind))({ id: figure.kind, fields: figure.fields }, () => modules.axesOf(kind, spec, means));
    },
  };
}
