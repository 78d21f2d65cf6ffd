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
