// The scripts of phasor/figure in a built package.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { root } from '../root.mjs';

/** Whether a file of the package is a script of phasor/figure. @param {string} name */
export const isFigureScript = (name) => /^figure(-[\w-]+)?\.js$/.test(name) && name !== 'figure-server.js';

/** A script in a folder, with its direct and indirect static imports. @param {string} name @param {string} folder */
function withImports(name, folder) {
  const found = new Set([name]);
  for (const one of found) {
    for (const statement of parseAst(readFileSync(join(folder, one), 'utf8')).body)
      if (statement.type === 'ImportDeclaration') found.add(statement.source.value.replace('./', ''));
  }
  return found;
}

/**
 * The scripts that a page fetches for its first figure, by its kind.
 * @param {string} folder of the package
 * @returns {[kind: string, names: string[]][]}
 */
export const firstFigures = (folder) =>
  readdirSync(join(root, 'web/figure/kinds')).map((kind) => [
    kind,
    [...new Set([...withImports('figure.js', folder), ...withImports(`figure-${kind}.js`, folder)])],
  ]);
