/**
 * What went wrong: the first three come from the core, 'cancelled' is the caller's own wish, 'internal' is a fault of ours or of the
 * machine.
 */
export type ErrorCode = 'invalid_argument' | 'unknown_name' | 'resource_exhausted' | 'unsupported' | 'cancelled' | 'internal';

/** One clear sentence for the person who made the call, and a code for the program. */
export class PhasorError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'PhasorError';
    this.code = code;
  }

  /** Any thrown thing as a PhasorError: errors do not survive a message between threads as they are. */
  static from(thrown: unknown): PhasorError {
    if (thrown instanceof PhasorError) return thrown;
    try {
      return new PhasorError('internal', thrown instanceof Error ? `${thrown.message}` : String(thrown));
    } catch {
      return new PhasorError('internal', 'what was thrown cannot be read');
    }
  }
}
