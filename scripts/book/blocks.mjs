// The blocks of a chapter: `::: name attributes`, content, `:::`. They may stand inside each other.
import { BookProblem } from './problem.mjs';

const OPEN = /^(:{3,})\s*([a-z]+)\s*(.*)$/;
const CLOSE = /^:{3,}\s*$/;
const ATTRIBUTE = /\s*(?:#([\w-]+)|([A-Za-z][\w-]*)=(?:"([^"]*)"|(\S+))|([A-Za-z][\w-]*))/y;

/** 'kind=rotation encoding="rope base=500000" compact #turn': what is said about a block. */
export function attributesOf(text, place) {
  const attributes = {};
  ATTRIBUTE.lastIndex = 0;
  const end = text.trimEnd().length;
  while (ATTRIBUTE.lastIndex < end) {
    const from = ATTRIBUTE.lastIndex;
    const found = ATTRIBUTE.exec(text);
    if (!found) throw new BookProblem(`“${text.slice(from).trim()}” is no attribute: write name=value or name="a value"`, place);
    const [, id, name, quoted, bare, flag] = found;
    const [key, value] = id !== undefined ? ['id', id] : flag !== undefined ? [flag, ''] : [name, quoted ?? bare];
    if (Object.hasOwn(attributes, key)) throw new BookProblem(`${key} is given twice`, place);
    attributes[key] = value;
  }
  return attributes;
}

/**
 * A rule of markdown-it.
 * @param {Record<string, (state: object, block: object) => void>} blocks what each block makes of its lines: pushes tokens
 */
export function blockRule(blocks, { file, before }) {
  return (state, startLine, endLine, silent) => {
    const lineAt = (line) => state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line]);
    const first = lineAt(startLine);
    const found = OPEN.exec(first);
    const place = { file, line: startLine + before + 1 };
    if (!found) {
      if (!silent && CLOSE.test(first)) throw new BookProblem('“:::” closes nothing', place);
      return false;
    }
    if (silent) return true;
    const [, , name, rest] = found;
    if (!Object.hasOwn(blocks, name)) throw new BookProblem(`“::: ${name}” is unknown; there is ${Object.keys(blocks).join(', ')}`, place);
    // A long head goes on in the next line after a backslash.
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
    /** Lines as Markdown. */
    const content = (start = from, end = to) => {
      const { parentType, lineMax } = state;
      state.parentType = 'container';
      state.lineMax = end;
      state.md.block.tokenize(state, start, end);
      state.parentType = parentType;
      state.lineMax = lineMax;
    };
    /** Text of one line. */
    const inline = (text, at) => {
      const token = state.push('inline', '', 0);
      token.content = text;
      token.map = [at, at + 1];
      token.children = [];
    };
    /** HTML around what is between: a text, or what is called when the page is written. */
    const html = (write) => {
      state.push('book', '', 0).meta = { write: typeof write === 'string' ? () => write : write };
    };
    const lines = Array.from({ length: to - from }, (_, index) => ({ text: lineAt(from + index), line: from + index }));
    blocks[name](state, {
      head: head.trim(),
      place,
      lines,
      from,
      to,
      content,
      inline,
      html,
      placeOf: (at) => ({ file, line: at + before + 1 }),
    });
    state.line = line;
    return true;
  };
}
