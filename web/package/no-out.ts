// In phasor/figure, our own pages and their workers, in the place of web/engine/out.ts and out-arrays.ts: figures are given new arrays, and nobody else calls
// their engine (scripts/site/worker-source.mjs).
import { PhasorError } from '../engine/errors.ts';
import type { checkOut as check, readOut as read } from '../engine/out.ts';
import type { intoOut as into } from '../engine/out-arrays.ts';

export const readOut: typeof read = (value) => {
  if (value === undefined || value === null) return [];
  throw new PhasorError('invalid_argument', 'out: the engine of figures gives new arrays');
};
export const checkOut: typeof check = () => {};
export const intoOut: typeof into = (result) => result;
export class OutArrays {
  readonly refusal: string | undefined = undefined;
  arrayFor(): undefined {}
  again(): boolean {
    return false;
  }
}
