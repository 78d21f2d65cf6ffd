/** Returns the message of a thrown value, which need not be an Error. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? `${thrown.message}` : String(thrown));

/**
 * Error codes, for use in programs.
 * - Errors of a call: `invalid_argument`, `unknown_name`, `resource_exhausted`, and `unsupported` for features that this JavaScript engine lacks.
 * - `cancelled`: aborted by the caller. `internal`: a bug or a crashed worker.
 * - Errors of starting an engine: `fetch_failed` (no response, or a server error), `not_found` (no such file), `not_wasm` (not a WebAssembly file
 *   of this package), `truncated` (incomplete file), `timeout`, `blocked_by_csp` (forbidden by the page's Content-Security-Policy),
 *   `worker_unavailable` (no worker could be started).
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
  | 'blocked_by_csp'
  | 'worker_unavailable';

/** The allowed values: a number in a range, or one of a few choices. */
export type Allowed =
  | {
      /** The smallest allowed number. */
      readonly min: number;
      /** The largest allowed number. */
      readonly max: number;
    }
  | readonly string[];

/** Details of an error, for use in programs. The message contains the same information. */
export interface ErrorDetails {
  /** The argument at the start of the message, such as `heads` or `positions[3]`. For an encoding's parameter, only its name, such as `base`. */
  readonly argument?: string | undefined;
  /** The rejected value: a number, or a string without quotation marks. Absent if the message does not contain it. */
  readonly value?: string | number | undefined;
  /** The allowed values, if they are a range or a list. */
  readonly allowed?: Allowed | undefined;
}

/**
 * An error with a human-readable `message`, and with a `code` and details for use in programs.
 * @example
 * ```js
 * const { createPhasor } = await import('phasor');
 * const phasor = await createPhasor();
 * try {
 *   phasor.positionTable({ encoding: 'sinusoidal', length: 0, dim: 8 });
 * } catch (error) {
 *   error.message; // 'length: 0 is outside 1 to 1048576'
 *   error.argument; // 'length'
 *   error.value; // 0
 *   error.allowed; // { min: 1, max: 1048576 }
 * }
 * ```
 */
export class PhasorError extends Error implements ErrorDetails {
  /** The error code. */
  readonly code: ErrorCode;
  /** The argument at the start of the message, such as `heads` or `positions[3]`. Undefined if there is none. */
  readonly argument: string | undefined;
  /** The rejected value, a number or a string, if the message contains it. */
  readonly value: string | number | undefined;
  /** The allowed values, if they are a range or a list. */
  readonly allowed: Allowed | undefined;

  /** Public, so that applications can throw these errors too. */
  constructor(code: ErrorCode, message: string, { argument, value, allowed }: ErrorDetails = {}) {
    super(message);
    this.name = 'PhasorError';
    this.code = code;
    this.argument = argument;
    this.value = value;
    this.allowed = allowed;
  }

  /**
   * Compares by name, because a program may load this class more than once: from CommonJS, from an ES module and from `phasor/figure`.
   * Throws nothing.
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
   * Converts any thrown value to a PhasorError. Values that are not a PhasorError get the code `internal`. Throws nothing.
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

/** Creates an error whose message starts with the argument, such as "heads: 0 is outside 1 to 64". */
export const argumentError = (path: string, clause: string, details: ErrorDetails & { readonly code?: ErrorCode } = {}) =>
  new PhasorError(details.code ?? 'invalid_argument', `${path}: ${clause}`, { ...details, argument: path });
