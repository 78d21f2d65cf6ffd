// Refusals whose sentences are made from what they are about.

import { type ErrorAbout, type ErrorCode, PhasorError } from './errors.ts';

/** "forward: it is given twice" */
export const refusal = (path: string, clause: string, about: ErrorAbout & { readonly code?: ErrorCode } = {}) =>
  new PhasorError(about.code ?? 'invalid_argument', `${path}: ${clause}`, { ...about, path });
