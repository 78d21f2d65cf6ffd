// The blocks of a chapter: `::: name attributes`, content, `:::`. They may be nested.
import { textOfLine } from './formula.mjs';
import { BookProblem } from './problem.mjs';

/** @import { StateBlock } from './formula.mjs' */
/** @import { Place } from './problem.mjs' */
/** @import { Links } from './chapter-writing.mjs' */

/**
 * A block that is being read. `content`, `inline` and `html` push tokens.
 * @typedef {object} Block
 * @property {string} head the text after its name
 * @property {Place} place
 * @property {{ text: string, line: number }[]} lines between its head and its end
 * @property {number} from the first of these lines
 * @property {number} to the line of its end
 * @property {(start?: number, end?: number) => void} content lines as Markdown
 * @property {(text: string, at: number) => void} inline text of one line
 * @property {(write: string | ((links: Links) => string)) => void} html HTML around the content: a string, or a function called when the page is
 * written
 * @property {(at: number) => Place} placeOf a line
 */

const OPEN = /^(:{3,})\s*([a-z]+)\s*(.*)$/;
const CLOSE = /^:{3,}\s*$/;
const ATTRIBUTE = /\s*(?:#([\w-]+)|([A-Za-z][\w-]*)=(?:"([^"]*)"|(\S+))|([A-Za-z][\w-]*))/y;

/**
 * 'kind=rotation encoding="rope base=500000" compact #turn': the attributes of a block.
 * @param {string} text
 * @param {Place} location
 */
export function attributesOf(text, location) {
  /** @type {Record<string, string>} */
  const attributes = {};
  ATTRIBUTE.lastIndex = 0;
  const end = text.trimEnd().length;
  while (ATTRIBUTE.lastIndex < end) {
    const from = ATTRIBUTE.lastIndex;
    const found = ATTRIBUTE.exec(text);
    if (!found) throw new BookProblem(`“${text.slice(from).trim()}” is no attribute: write name=value or name="a value"`, location);
    const [, id, name, quoted, bare, flag] = found;
    const [key, value] = id !== undefined ? ['id', id] : flag !== undefined ? [flag, ''] : [name ?? '', quoted ?? bare ?? ''];
    if (Object.hasOwn(attributes, key)) throw new BookProblem(`${key} is given twice`, location);
    attributes[key] = value;
  }
  return attributes;
}

/**
 * A rule of markdown-it.
 * @param {Record<string, (block: Block) => void>} blocks the function of each block
 * @param {{ file: string, before: number }} text `before`: lines of the file before it
 */
export function blockRule(blocks, { file, before }) {
  /** @param {StateBlock} state @param {number} startLine @param {number} endLine @param {boolean} silent */
  return (state, startLine, endLine, silent) => {
    /** @param {number} line */
    const lineAt = (line) => textOfLine(state, line);
    const first = lineAt(startLine);
    const found = OPEN.exec(first);
    const place = { file, line: startLine + before + 1 };
    if (!found) {
      if (!silent && CLOSE.test(first)) throw new BookProblem('“:::” closes nothing', place);
      return false;
    }
    if (silent) return true;
    const [, , name = '', rest = ''] = found;
    const block = Object.hasOwn(blocks, name) ? blocks[name] : undefined;
    if (!block) throw new BookProblem(`“::: ${name}” is unknown; there is ${Object.keys(blocks).join(', ')}`, place);
    // A long head continues on the next line after a backslash.
    let head = rest;
    let from = startLine + 1;
    while (head.endsWith('\\') && from < endLine) head = `${head.slice(0, -1)} ${lineAt(from++)}`;
    let depth = 1;
    let fence = '';
    let line = from;
    for (; line < endLine && depth > 0; line++) {
      const text = lineAt(line);
      const [mark] = /^(`{3,}|~{3,})/.exec(text) ?? [''];
      if (mark && (fence === '' || text.startsWith(fence))) fence = fence === '' ? mark : '';
      else if (fence !== '') continue;
      else if (OPEN.test(text)) depth += 1;
      else if (CLOSE.test(text)) depth -= 1;
    }
    if (depth > 0) throw new BookProblem(`“::: ${name}” is not closed by “:::”`, place);
    const to = line - 1;
    const content = (start = from, end = to) => {
      const { parentType, lineMax } = state;
      state.parentType = 'root';
      state.lineMax = end;
      state.md.block.tokenize(state, start, end);
      state.parentType = parentType;
      state.lineMax = lineMax;
    };
    /** @type {Block['inline']} */
    const inline = (text, at) => {
      const token = state.push('inline', '', 0);
      token.content = text;
      token.map = [at, at + 1];
      token.children = [];
    };
    /** @type {Block['html']} */
    const html = (write) => {
      state.push('book', '', 0).meta = { write: typeof write === 'string' ? () => write : write };
    };
    const lines = Array.from({ length: to - from }, (_, index) => ({ text: lineAt(from + index), line: from + index }));
    block({
      head: head.trim(),
      place,
      lines,
      from,
      to,
      content,
      inline,
      html,
      placeOf: (/** @type {number} */ at) => ({ file, line: at + before + 1 }),
    });
    state.line = line;
    return true;
  };
}
