// Writes package.json of the packages of dist, and the files that all of them contain.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/** Creates or empties a folder. @param {string} name relative to the root of the repository @returns its path */
export function emptyFolder(name) {
  const path = join(root, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

/**
 * Writes package.json, LICENSE and README.md.
 * @param {string} out the folder of the package
 * @param {{ name: string, exports: object, [field: string]: unknown }} fields of package.json; the default description is that of the repository
 * @param {string} [readme] default: web/package/<name>.md
 */
export function writePackage(out, { name, exports, ...fields }, readme = `web/package/${name}.md`) {
  const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const manifest = { name, version, description, license, ...fields, exports: { ...exports, './package.json': './package.json' } };
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
  copyFileSync(join(root, readme), join(out, 'README.md'));
}
