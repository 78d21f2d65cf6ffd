// Formulas become MathML when the project builds: every tex`...` in web/encodings is replaced by its markup, so the page
// needs no library to show them.
import temml from 'temml';

const FILES = /\/web\/encodings\/\w+\.ts$/;
const FORMULA = /\btex`([^`]*)`/g;

/** Vite plugin: renders the formulas of the encodings. */
export function formulas() {
  return {
    name: 'phasor-formulas',
    enforce: 'pre',
    transform(code, id) {
      const [file] = id.split('?');
      if (!FILES.test(file)) return undefined;
      const rendered = code.replace(FORMULA, (_, source) =>
        JSON.stringify(temml.renderToString(source, { displayMode: true, throwOnError: true })),
      );
      return { code: rendered, map: null };
    },
  };
}
