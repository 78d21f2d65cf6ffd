// What the page and the worker say to each other. Calls are answered in the order they were asked, so an answer needs no number; and the
// messages are generic over the methods, so a new one changes nothing here.

import type { Facts } from './engine.ts';
import type { ErrorCode } from './errors.ts';
import type { FlatRequest } from './flat-request.ts';
import type { Compiled } from './load.ts';
import type { Method } from './methods.ts';

export type ToWorker =
  | { readonly kind: 'start'; readonly compiled: Compiled }
  | { readonly kind: 'call'; readonly method: Method; readonly request: FlatRequest };

/** The answer to `start` is Facts. */
export type FromWorker =
  | { readonly kind: 'answer'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly code: ErrorCode; readonly message: string };

export type { Facts };

/** The buffers of every array in a message, each once: they are handed over instead of being copied. */
export function buffers(value: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (!ArrayBuffer.isView(part)) Object.values(part).forEach(look);
    else if (part.buffer instanceof ArrayBuffer) found.add(part.buffer);
  };
  look(value);
  return [...found];
}
