// Matches estimated positions with the named faults.

import type { Variation } from './variations.ts';

/** The variation that converts the claimed positions of `tokens` to the estimated ones; undefined if no named fault does. */
export function patternOf(tokens: readonly number[], claimed: readonly number[], found: readonly number[]): Variation | undefined {
  const at = (list: readonly number[], index: number) => list[index] as number;
  const all = tokens.length;
  const make = (id: string, params: Variation['params'], position: (token: number, claimed: number) => number): Variation => ({
    id,
    group: 'positions',
    params,
    apply: (state) => ({
      positions: (state.positions as readonly number[]).map((one, index) => position(at(state.tokens, index), one)),
    }),
  });
  const offsets = found.map((one, index) => one - at(claimed, index));
  const from = (start: number, test: (index: number) => boolean) => {
    for (let index = start; index < all; index++) if (!test(index)) return false;
    return true;
  };
  const commonOffset = at(offsets, 0);
  if (commonOffset !== 0 && from(0, (index) => at(offsets, index) === commonOffset))
    return make('position_offset', { offset: commonOffset }, (_, one) => one + commonOffset);
  if (from(0, (index) => at(found, index) === at(found, 0)))
    return make('positions_constant', { position: at(found, 0) }, () => at(found, 0));
  const start = offsets.findIndex((offset) => offset !== 0);
  if (start < 1) return undefined;
  const [token, by, last] = [at(tokens, start), at(offsets, start), at(found, start)];
  if (from(start, (index) => at(offsets, index) === by)) {
    const shifted = (index: number, one: number) => (index >= token ? one + by : one);
    if (at(claimed, start) < at(claimed, start - 1)) return make('positions_not_reset', { at: token }, shifted);
    // The first token after the break has position 0.
    if (last === 0 || at(claimed, start) + by === 0) return make('positions_restart', { at: token }, shifted);
    return make('positions_jump', { at: token, by }, shifted);
  }
  if (!from(start, (index) => at(found, index) === last)) return undefined;
  // If the constant position is correct for the token before the break, the fault starts there.
  const first = at(found, start - 1) === last ? at(tokens, start - 1) : token;
  return make('positions_stuck', { at: first, position: last }, (index, one) => (index >= first ? last : one));
}
