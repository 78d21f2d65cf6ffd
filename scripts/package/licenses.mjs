// Writes the license texts of third-party code in a package of dist. The bundler lists the npm packages in each script.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/** For packages without a license text: a package of the same authors that contains it. @type {Record<string, string>} */
const TEXT_OF = { '@lit-labs/ssr-dom-shim': 'lit' };
const IN_PACKAGE = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/**
 * The npm packages whose code is in a chunk.
 * @param {{ readonly [id: string]: { readonly renderedLength: number } }} modules of a chunk
 * @returns {string[]} their names, sorted
 */
export function packagesIn(modules) {
  const used = Object.keys(modules).filter((id) => (modules[id]?.renderedLength ?? 0) > 0);
  const names = used.flatMap((id) => IN_PACKAGE.exec(id)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** @param {string} name of a package */
const folderOf = (name) => join(root, 'node_modules', name);
/** @param {string} name of a package */
const spdxOf = (name) => JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8')).license;

/** @param {string} name of a package */
function licenseOf(name) {
  const source = TEXT_OF[name] ?? name;
  const file = readdirSync(folderOf(source)).find((one) => /^licen[cs]e(\.(md|txt))?$/i.test(one));
  if (!file || spdxOf(source) !== spdxOf(name))
    throw new Error(`${name} is inside dist/npm, and nothing in node_modules has the text of its license`);
  return readFileSync(join(folderOf(source), file), 'utf8');
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

/**
 * For each package a text: the scripts that contain it, and its license.
 * @param {{ readonly [script: string]: readonly string[] }} inside the packages in each script
 */
export function licenseTexts(inside) {
  const names = [...new Set(Object.values(inside).flat())].sort();
  /** @param {string} name of a package */
  const scriptsWith = (name) => Object.keys(inside).filter((script) => inside[script]?.includes(name));
  return names.map((name) => `${name}, in ${listed.format(scriptsWith(name))}\n\n${licenseOf(name)}`);
}

/** @param {string} out @param {{ readonly [script: string]: readonly string[] }} inside the packages in each script */
export function writeLicenses(out, inside) {
  /** @param {string} name of a file */
  const own = (name) => readFileSync(join(root, 'web/package/licenses', name), 'utf8');
  const compiled = ['compiled.txt', 'MPL-2.0.txt', 'Apache-2.0.txt'].map(own);
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  writeFileSync(
    join(out, 'third-party.LICENSES.txt'),
    [...compiled, ...licenseTexts(inside)]
      .map((text) => text.trim())
      .join(rule)
      .concat('\n'),
  );
}
