// Matches estimated positions with the named faults.

import type { Variation } from './variations.ts';

/** The variation that changes the claimed positions of `tokens` to the estimated ones; undefined if no named fault explains them. */
export function patternOf(tokens: readonly number[], claimed: readonly number[], found: readonly number[]): Variation | undefined {
  const at = (list: readonly number[], index: number) => list[index] as number;
  const count = tokens.length;
  const makeVariation = (id: string, params: Variation['params'], position: (token: number, claimed: number) => number): Variation => ({
    id,
    group: 'positions',
    params,
    apply: (state) => ({
      positions: (state.positions as readonly number[]).map((claimedPosition, index) => position(at(state.tokens, index), claimedPosition)),
    }),
  });
  const offsets = found.map((foundPosition, index) => foundPosition - at(claimed, index));
  const holdsFrom = (start: number, test: (index: number) => boolean) => {
    for (let index = start; index < count; index++) if (!test(index)) return false;
    return true;
  };
  const commonOffset = at(offsets, 0);
  if (commonOffset !== 0 && holdsFrom(0, (index) => at(offsets, index) === commonOffset))
    return makeVariation('position_offset', { offset: commonOffset }, (_, claimedPosition) => claimedPosition + commonOffset);
  if (holdsFrom(0, (index) => at(found, index) === at(found, 0)))
    return makeVariation('positions_constant', { position: at(found, 0) }, () => at(found, 0));
  const start = offsets.findIndex((offset) => offset !== 0);
  if (start < 1) return undefined;
  const [token, by, last] = [at(tokens, start), at(offsets, start), at(found, start)];
  if (holdsFrom(start, (index) => at(offsets, index) === by)) {
    const shiftedPosition = (index: number, claimedPosition: number) => (index >= token ? claimedPosition + by : claimedPosition);
    if (at(claimed, start) < at(claimed, start - 1)) return makeVariation('positions_not_reset', { at: token }, shiftedPosition);
    // The first token after the restart has position 0.
    if (last === 0 || at(claimed, start) + by === 0) return makeVariation('positions_restart', { at: token }, shiftedPosition);
    return makeVariation('positions_jump', { at: token, by }, shiftedPosition);
  }
  if (!holdsFrom(start, (index) => at(found, index) === last)) return undefined;
  // The fault starts one token earlier if the constant position is also correct there.
  const firstToken = at(found, start - 1) === last ? at(tokens, start - 1) : token;
  return makeVariation('positions_stuck', { at: firstToken, position: last }, (index, claimedPosition) =>
    index >= firstToken ? last : claimedPosition,
  );
}
