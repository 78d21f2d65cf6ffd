// Writes the lists of kinds of figures in README.md and web/book/README.md: the folders of web/figure/kinds.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

const WIDTH = 150;
const ONES = [
  '',
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen'],
];
ONES.push('fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen');
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** A count in words: 21 is 'Twenty-one'. @param {number} count */
function counted(count) {
  if (count > 99) return String(count);
  const words = (count < 20 ? [ONES[count]] : [TENS[Math.floor(count / 10)], ONES[count % 10]]).filter(Boolean).join('-');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Text in lines of at most WIDTH characters. @param {string} text */
const wrapped = (text) => text.replace(new RegExp(`(.{1,${WIDTH}})( |$)`, 'g'), '$1\n').trimEnd();

/** What each document says of the kinds of these ids. @param {string[]} ids */
export const kindsTexts = (ids) => ({
  'README.md': wrapped(`${counted(ids.length)} kinds, each computed by the core and with its proof: ${ids.join(', ')}.`),
  'web/book/README.md': wrapped(`Kinds: ${ids.join(', ')}.`),
});

/** A document with this text between its marks. @param {string} document @param {string} text @param {string} file its name, for errors */
export function withKinds(document, text, file) {
  const place = /(<!-- kinds -->\n)[\s\S]*?(\n<!-- \/kinds -->)/;
  if (!place.test(document)) throw new Error(`${file} has no place for the list of kinds, <!-- kinds --> to <!-- /kinds -->`);
  return document.replace(place, (_, begin, end) => `${begin}\n${text}\n${end}`);
}

/** The kinds of a folder that has a folder for each. @param {string} folder */
export const kindsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

if (process.argv[1] === import.meta.filename)
  for (const [name, text] of Object.entries(kindsTexts(kindsIn(join(root, 'web/figure/kinds'))))) {
    const file = join(root, name);
    writeFileSync(file, withKinds(readFileSync(file, 'utf8'), text, name));
  }
