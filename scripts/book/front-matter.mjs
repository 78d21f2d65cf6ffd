// Parses the front matter of a chapter: title, short title, description and an optional subtitle between lines of dashes.
import { BookProblem } from './problem.mjs';

/** @typedef {{ title: string, short: string, subtitle: string, description: string }} FrontMatter */

/** @type {readonly (keyof FrontMatter)[]} */
const NEEDED = ['title', 'short', 'description'];
/** @type {readonly (keyof FrontMatter)[]} */
const NAMES = [...NEEDED, 'subtitle'];

/**
 * @param {string} text
 * @param {string} file
 * @returns {FrontMatter & { body: string, line: number }} `line`: the number of lines before the body
 */
export function readFrontMatter(text, file) {
  const lines = text.split('\n');
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end < 0)
    throw new BookProblem('a chapter begins with “---”, title, short and description, and “---”', { file, line: 1 });
  /** @type {FrontMatter} */
  const found = { title: '', short: '', subtitle: '', description: '' };
  lines.slice(1, end).forEach((line, index) => {
    if (line.trim() === '') return;
    const [, word, value] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
    const location = { file, line: index + 2 };
    const name = NAMES.find((one) => one === word);
    if (!name) throw new BookProblem(`“${line.trim()}” is none of ${NAMES.join(', ')}`, location);
    if (!value) throw new BookProblem(`${name} is empty`, location);
    found[name] = value.replace(/^"(.*)"$/, '$1');
  });
  for (const name of NEEDED) if (!found[name]) throw new BookProblem(`${name} is missing in the head of the chapter`, { file, line: 1 });
  return { ...found, body: lines.slice(end + 1).join('\n'), line: end + 1 };
}
