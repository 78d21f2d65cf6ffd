// Renders formulas as MathML at build time: every tex`...` in web/encodings is replaced by its markup, so that pages need no library. The
// Content-Security-Policy forbids style attributes in HTML inserted by scripts, so styles are in `data-style`, which the page applies.
import temml from 'temml';

const FILES = /\/web\/encodings\/\w+\.ts$/;
const FORMULA = /\btex`([^`]*)`/g;

/** @returns {import('vite').Plugin} */
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
