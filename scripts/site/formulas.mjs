// Formulas become MathML when the project builds: every tex`...` in web/encodings is replaced by its markup, so the page needs no library to show
// them. A Content-Security-Policy forbids style attributes in HTML inserted by scripts, so styles are in `data-style`, which the page applies.
import temml from 'temml';

const FILES = /\/web\/encodings\/\w+\.ts$/;
const FORMULA = /\btex`([^`]*)`/g;

/**
 * Renders the formulas of the encodings.
 * @returns {import('vite').Plugin}
 */
export function formulas() {
  return {
    name: 'phasor-formulas',
    enforce: 'pre',
    transform(code, id) {
      const [file] = id.split('?');
      if (file === undefined || !FILES.test(file)) return undefined;
      const rendered = code.replace(FORMULA, (_, /** @type {string} */ source) =>
        JSON.stringify(temml.renderToString(source, { displayMode: true, throwOnError: true }).replaceAll(' style="', ' data-style="')),
      );
      return { code: rendered, map: null };
    },
  };
}
