// Writes the list of kinds of figures, the folders of web/figure/kinds, into the READMEs of the package and the book.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { withSection } from '../sections.mjs';

export const DOCUMENTS = ['web/engine/README.md', 'web/book/README.md'];
const LINE = 150;

/** The list as Markdown, in lines of at most LINE characters. @param {string[]} ids */
export const kindsList = (ids) => {
  const [first = '', ...rest] = ids;
  const lines = [`${ids.length} kinds: ${first}`];
  for (const id of rest) {
    const last = `${lines.at(-1)},`;
    if (`${last} ${id}`.length < LINE) lines[lines.length - 1] = `${last} ${id}`;
    else lines.splice(-1, 1, last, id);
  }
  return `${lines.join('\n')}.`;
};

/** @param {string} folder */
export const kindsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

if (process.argv[1] === import.meta.filename)
  for (const file of DOCUMENTS) {
    const path = join(root, file);
    writeFileSync(path, withSection(readFileSync(path, 'utf8'), 'kinds', kindsList(kindsIn(join(root, 'web/figure/kinds'))), file));
  }
