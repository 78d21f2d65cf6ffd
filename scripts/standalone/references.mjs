// The programs of public/reference that the figures of a page can export: those named by the code of their kinds, and those of the selectable
// encodings.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/** @import { GivenFigure } from '../book/figures.mjs' */
/** @import { BookMeans } from '../book/web-modules.mjs' */

/** Python modules that the code of a folder imports, and string literals that may be ids of encodings. @param {string} folder */
function namesIn(folder) {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts'));
  const code = files.map((file) => readFileSync(join(root, folder, file), 'utf8')).join('\n');
  return [...code.matchAll(/\bfrom (\w+) import|'(\w+)'/g)].map(([, module, word]) => module ?? word ?? '');
}

/**
 * The encodings of a figure: those that its control offers if the page shows one, else that of the figure.
 * @param {Pick<GivenFigure, 'kind' | 'fields' | 'attributes'>} figure
 * @param {Pick<BookMeans, 'modules' | 'phasor'>} means
 */
function encodingsOf({ kind: id, fields, attributes }, { modules, phasor }) {
  const kind = modules.kinds[id];
  if (!kind) return [];
  const shown = attributes.controls?.split(/[\s,]+/);
  const spec = modules.readSpec(kind, fields);
  return Object.entries(kind.fields).flatMap(([name, { control }]) => {
    if (control.kind !== 'encoding') return [];
    const own = /** @type {{ id: string }} */ (spec[name]).id;
    const offered = phasor.encodings.filter((info) => modules.offers(control, info)).map((info) => info.id);
    return !shown || shown.includes(name) ? [own, ...offered] : [own];
  });
}

/**
 * The files of public/reference that the figures can export, including the files that they import.
 * @param {Pick<GivenFigure, 'kind' | 'fields' | 'attributes'>[]} figures
 * @param {Pick<BookMeans, 'modules' | 'phasor'>} means
 */
export function referencesFor(figures, means) {
  const folders = ['web/figure/export', ...figures.map(({ kind }) => `web/figure/kinds/${kind}`)];
  const names = [...new Set(folders)].flatMap(namesIn);
  const encodings = figures.flatMap((figure) => encodingsOf(figure, means));
  return means.modules.importedReferences([...names, ...encodings].map((name) => `from ${name} import *`).join('\n'));
}
