import { messageOf } from './thrown.ts';

/** The kind of error: the core reports the first three; 'cancelled' means aborted by the caller; 'internal' is a bug or a crashed worker. */
export type ErrorCode = 'invalid_argument' | 'unknown_name' | 'resource_exhausted' | 'unsupported' | 'cancelled' | 'internal';

/** An error with a sentence for the user and a code for the program. */
export class PhasorError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'PhasorError';
    this.code = code;
  }

  /** Converts any thrown value to a PhasorError. */
  static from(thrown: unknown): PhasorError {
    if (thrown instanceof PhasorError) return thrown;
    try {
      return new PhasorError('internal', messageOf(thrown));
    } catch {
      return new PhasorError('internal', 'the thrown value cannot be read');
    }
  }
}
