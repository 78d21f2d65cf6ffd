// Parses the blocks of a chapter: `::: name attributes`, content, `:::`. Blocks may be nested.
import { textOfLine } from './formula.mjs';
import { BookProblem } from './problem.mjs';

/** @import { StateBlock } from './formula.mjs' */
/** @import { Place } from './problem.mjs' */
/** @import { Links } from './chapter-writing.mjs' */

/**
 * A parsed block. `content`, `inline` and `html` push tokens.
 * @typedef {object} Block
 * @property {string} head the text after the name of the block
 * @property {Place} place
 * @property {{ text: string, line: number }[]} lines between the head and the closing line
 * @property {number} from index of the first of these lines
 * @property {number} to index of the closing line
 * @property {(start?: number, end?: number) => void} content parses lines as Markdown
 * @property {(text: string, at: number) => void} inline parses the text of one line
 * @property {(write: string | ((links: Links) => string)) => void} html pushes HTML: a string, or a function that is called when the
 * page is written
 * @property {(at: number) => Place} placeOf the location of a line in the file
 */

const OPEN = /^(:{3,})\s*([a-z]+)\s*(.*)$/;
const CLOSE = /^:{3,}\s*$/;
const ATTRIBUTE = /\s*(?:#([\w-]+)|([A-Za-z][\w-]*)=(?:"([^"]*)"|(\S+))|([A-Za-z][\w-]*))/y;

/**
 * Parses the attributes of a block: 'kind=rotation encoding="rope base=500000" compact #turn'.
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
    if (!found) throw new BookProblem(`“${text.slice(from).trim()}” is not an attribute: write name=value or name="a value"`, location);
    const [, id, name, quoted, bare, flag] = found;
    const [key, value] = id !== undefined ? ['id', id] : flag !== undefined ? [flag, ''] : [name ?? '', quoted ?? bare ?? ''];
    if (Object.hasOwn(attributes, key)) throw new BookProblem(`${key} is given twice`, location);
    attributes[key] = value;
  }
  return attributes;
}

/**
 * A block rule for markdown-it.
 * @param {Record<string, (block: Block) => void>} blocks the handler of each block, by name
 * @param {{ file: string, before: number }} text `before`: the number of lines of the file before it
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
    // A backslash at the end of a line continues the head on the next line.
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
