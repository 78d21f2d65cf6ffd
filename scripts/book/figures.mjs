// Figures of the book as HTML. What a figure looks like follows from its fields and the sources alone, so it is kept between builds.
import { hashOf, keeper } from './keep.mjs';
import { BookProblem } from './problem.mjs';

/** What pictures are made from. */
const SOURCES = [
  'web/figure',
  'web/views',
  'web/sentence',
  'web/encodings',
  'web/package',
  'web/lab/state.ts',
  'web/lab/questions.ts',
  'web/book/still.ts',
  'web/book/lab-link.ts',
  'build/wasm/phasor-simd.wasm',
  'public/data',
];

/** @returns what makes the figures of chapters: reads the fields, which may be wrong, and draws */
export function figureMaker(kit, means) {
  const keep = keeper('figures', hashOf(SOURCES));
  return async ({ kind: id, fields, attributes, place }) => {
    const kind = kit.kinds[id];
    if (!kind) throw new BookProblem(`figure: ${kit.WORDS.unknownKind(id, Object.keys(kit.kinds))}`, place);
    let spec;
    try {
      spec = kit.readSpec(kind, fields);
    } catch (thrown) {
      if (thrown instanceof kit.SpecError) throw new BookProblem(`figure: ${thrown.message}`, place);
      throw thrown;
    }
    try {
      const still = await keep({ id, fields, attributes }, () => kit.stillOf(id, fields, attributes, means));
      return { still, lab: kit.labLink(kind, spec) };
    } catch (thrown) {
      throw new BookProblem(`figure: ${thrown instanceof Error ? thrown.message : String(thrown)}`, place);
    }
  };
}
