// What the page and the worker say to each other. A worker is asked one thing at a time, so an answer needs no number; and the
// messages are generic over the methods, so a new one changes nothing here.

import { type ErrorCode, PhasorError } from './errors.ts';
import type { Compiled } from './load.ts';
import type { Phasor } from './types.ts';

export type Method = { [K in keyof Phasor]: Phasor[K] extends (...args: never) => unknown ? K : never }[keyof Phasor];

/** What is known of an engine without calling it; the answer to `start`. */
export type Facts = Pick<Phasor, 'variant' | 'version' | 'encodings'>;

export type ToWorker =
  | { readonly kind: 'start'; readonly compiled: Compiled }
  | { readonly kind: 'call'; readonly method: Method; readonly args: readonly unknown[] };

export type FromWorker =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly code: ErrorCode; readonly message: string };

/** A copy for the worker: the caller's arrays stay the caller's, and what is done to them later does not reach the call. */
export function copyOf<T>(method: string, args: T): T {
  try {
    return structuredClone(args);
  } catch (thrown) {
    const { message } = PhasorError.from(thrown);
    throw new PhasorError('invalid_argument', `${method}: the request cannot be sent to the worker (${message})`);
  }
}

/** The buffers of every array in a message, each once: they are handed over instead of being copied. */
export function buffers(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const seen = new Set<unknown>(); // an object may hold itself
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if (!ArrayBuffer.isView(part)) Object.values(part).forEach(look);
    else if (part.buffer instanceof ArrayBuffer) found.add(part.buffer);
  };
  look(value);
  return [...found];
}
