// Formulas become MathML when the project builds: every tex`...` in web/encodings is replaced by its markup, so the page
// needs no library to show them. A policy for content forbids style attributes in text that a script brings,
// so styles stand in `data-style`, for the page to set.
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
