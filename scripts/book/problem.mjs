// What stops the build of the book: one sentence with the file and the line.
export class BookProblem extends Error {
  /** @param {string} message @param {{ file?: string, line?: number }} [place] lines are counted from 1 */
  constructor(message, { file, line } = {}) {
    super(message);
    this.file = file;
    this.line = line;
  }

  /** The same problem with what was not yet known about its place. */
  at({ file, line }) {
    return new BookProblem(this.message, { file: this.file ?? file, line: this.line ?? line });
  }

  get sentence() {
    return `${this.file ?? 'the book'}:${this.line ?? 1}: ${this.message}`;
  }
}

/** What is wrong in `call` is wrong at a place of the text; a fault of the program stays what it is. */
export function inPlace(where, call) {
  try {
    return call();
  } catch (thrown) {
    throw thrown instanceof BookProblem ? thrown.at(where) : thrown;
  }
}

/** What is computed for a place of the text: whatever stops it is told with the place. */
export async function computedFor(where, call) {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof BookProblem) throw thrown.at(where);
    throw new BookProblem(thrown instanceof Error ? thrown.message : String(thrown), where);
  }
}
