import type { Variation } from './variations.ts';

/** Returns the variation that turns the claimed positions of `tokens` into the estimated ones, or undefined if no known fault explains them. */
export function findPattern(
  tokens: readonly number[],
  claimedPositions: readonly number[],
  foundPositions: readonly number[],
): Variation | undefined {
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
  const offsets = foundPositions.map((foundPosition, index) => foundPosition - at(claimedPositions, index));
  const holdsFrom = (start: number, test: (index: number) => boolean) => {
    for (let index = start; index < count; index++) if (!test(index)) return false;
    return true;
  };
  const commonOffset = at(offsets, 0);
  if (commonOffset !== 0 && holdsFrom(0, (index) => at(offsets, index) === commonOffset))
    return makeVariation('position_offset', { offset: commonOffset }, (_, claimedPosition) => claimedPosition + commonOffset);
  if (holdsFrom(0, (index) => at(foundPositions, index) === at(foundPositions, 0)))
    return makeVariation('positions_constant', { position: at(foundPositions, 0) }, () => at(foundPositions, 0));
  const start = offsets.findIndex((offset) => offset !== 0);
  if (start < 1) return undefined;
  const [token, firstOffset, lastPosition] = [at(tokens, start), at(offsets, start), at(foundPositions, start)];
  if (holdsFrom(start, (index) => at(offsets, index) === firstOffset)) {
    const shiftedPosition = (index: number, claimedPosition: number) => (index >= token ? claimedPosition + firstOffset : claimedPosition);
    if (at(claimedPositions, start) < at(claimedPositions, start - 1))
      return makeVariation('positions_not_reset', { at: token }, shiftedPosition);
    // The positions restart if this token has position 0. Otherwise, they jump.
    if (lastPosition === 0 || at(claimedPositions, start) + firstOffset === 0)
      return makeVariation('positions_restart', { at: token }, shiftedPosition);
    return makeVariation('positions_jump', { at: token, by: firstOffset }, shiftedPosition);
  }
  if (!holdsFrom(start, (index) => at(foundPositions, index) === lastPosition)) return undefined;
  // If the previous token's correct position equals the constant, the constant positions start at that token.
  const firstToken = at(foundPositions, start - 1) === lastPosition ? at(tokens, start - 1) : token;
  return makeVariation('positions_stuck', { at: firstToken, position: lastPosition }, (index, claimedPosition) =>
    index >= firstToken ? lastPosition : claimedPosition,
  );
}
