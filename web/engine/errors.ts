import { messageOf } from './thrown.ts';

/**
 * The kind of error, for programs.
 *
 * About a call: `invalid_argument`, `unknown_name`, `resource_exhausted`, and `unsupported` for what this JavaScript engine cannot run.
 * `cancelled` was aborted by the caller; `internal` is a bug or a worker that crashed.
 *
 * About starting an engine: `fetch_failed` (no answer, or one of a server in trouble), `not_found` (there is no such file), `not_wasm` (it is
 * something else than a WebAssembly file of this package), `truncated` (it ends too early), `timeout`, `policy` (the Content-Security-Policy
 * of the page forbids it), `worker_refused` (no worker could be started).
 */
export type ErrorCode =
  | 'invalid_argument'
  | 'unknown_name'
  | 'resource_exhausted'
  | 'unsupported'
  | 'cancelled'
  | 'internal'
  | 'fetch_failed'
  | 'not_found'
  | 'not_wasm'
  | 'truncated'
  | 'timeout'
  | 'policy'
  | 'worker_refused';

/** An error with a sentence for the user, its `message`, and a `code` for the program. */
export class PhasorError extends Error {
  /** What kind of error it is. */
  readonly code: ErrorCode;

  /** For programs that throw such errors themselves. */
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'PhasorError';
    this.code = code;
  }

  /**
   * By name: a program may have this class more than once, out of CommonJS, out of a module and out of `phasor/figure`. Throws nothing.
   * @example
   * ```js
   * const { PhasorError } = await import('phasor');
   * new PhasorError('timeout', 'too late') instanceof PhasorError; // true
   * ```
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Object && (value as Error).name === 'PhasorError';
  }

  /**
   * Converts any thrown value to a PhasorError, with the code `internal` unless it is one. Throws nothing.
   * @example
   * ```js
   * const { PhasorError } = await import('phasor');
   * PhasorError.from('out of luck').code; // 'internal'
   * ```
   */
  static from(thrown: unknown): PhasorError {
    try {
      if (thrown instanceof PhasorError) return thrown;
      return new PhasorError('internal', messageOf(thrown));
    } catch {
      return new PhasorError('internal', 'the thrown value cannot be read');
    }
  }
}
