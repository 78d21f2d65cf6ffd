// What the page and the worker say to each other. Generic over the methods, so a new one changes nothing here.

import type { ErrorCode } from './errors.ts';
import type { Compiled } from './load.ts';
import type { Phasor } from './types.ts';

export type Method = { [K in keyof Phasor]: Phasor[K] extends (...args: never) => unknown ? K : never }[keyof Phasor];

export type ToWorker =
  | { readonly kind: 'start'; readonly compiled: Compiled }
  | { readonly kind: 'call'; readonly id: number; readonly method: Method; readonly args: readonly unknown[] };

export type FromWorker =
  | { readonly kind: 'started'; readonly facts: Pick<Phasor, 'variant' | 'version' | 'encodings'> }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id?: number; readonly code: ErrorCode; readonly message: string };
