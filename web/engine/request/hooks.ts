// Options of a long call: a progress callback, and a signal that cancels the call between two steps.

import { PhasorError } from '../errors.ts';
import type { CallOptions } from '../types/options.ts';
import { invalidValueError } from './invalid-value.ts';

export interface Hooks<Report> {
  readonly onProgress?: ((report: Report) => void) | undefined;
  readonly signal?: CallOptions['signal'];
}

/** Rejects hooks of the wrong type. null is treated as absent. */
export function checkHooks({ onProgress, signal }: Hooks<never>): void {
  if (onProgress !== undefined && onProgress !== null && typeof onProgress !== 'function')
    throw invalidValueError('onProgress', onProgress, 'is not a function');
  if (signal !== undefined && signal !== null && !(signal instanceof AbortSignal))
    throw invalidValueError('signal', signal, 'is not an AbortSignal');
}

/**
 * Throws `cancelled` if the signal is aborted.
 * @param unit the unit of `done` and `count`, such as 'steps'
 */
export function checkCancelled(signal: CallOptions['signal'], callName: string, done: number, count: number, unit: string): void {
  if (signal?.aborted) throw new PhasorError('cancelled', `${callName}: cancelled after ${done} of ${count} ${unit}`);
}
