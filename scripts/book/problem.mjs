// Errors that stop the build of the book: one sentence with the file and the line.

/** @typedef {{ file?: string | undefined, line?: number | undefined }} Place a location in a text; lines are counted from 1 */

export class BookProblem extends Error {
  /** @param {string} message @param {Place} [place] */
  constructor(message, { file, line } = {}) {
    super(message);
    this.file = file;
    this.line = line;
  }

  /** A copy of the problem whose missing file or line is filled in. @param {Place} place */
  at({ file, line }) {
    return new BookProblem(this.message, { file: this.file ?? file, line: this.line ?? line });
  }

  get sentence() {
    return `${this.file ?? 'the book'}:${this.line ?? 1}: ${this.message}`;
  }
}

/**
 * Adds a location to problems thrown by `call`; other errors are unchanged.
 * @template Result
 * @param {Place} where
 * @param {() => Result} call
 */
export function inPlace(where, call) {
  try {
    return call();
  } catch (thrown) {
    throw thrown instanceof BookProblem ? thrown.at(where) : thrown;
  }
}

/**
 * Like `inPlace` for asynchronous calls; other errors become problems with the location, too.
 * @template Result
 * @param {Place} where
 * @param {() => Result | Promise<Result>} call
 */
export async function computedFor(where, call) {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof BookProblem) throw thrown.at(where);
    throw new BookProblem(thrown instanceof Error ? thrown.message : String(thrown), where);
  }
}
