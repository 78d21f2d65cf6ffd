// Reads the two tensors of a vector dump, and the claim about them.

import { argumentError } from '../errors.ts';
import type { EncodingConfig, Phasor } from '../types/api.ts';
import type { TensorData } from '../types/tensors.ts';
import { claimOf, forDim } from './claims.ts';
import { type Vectors, vectorsOf } from './dump.ts';
import type { RotationDump, TwoImplementationsDump } from './requests.ts';
import { coordinates, type TokenPositions } from './state.ts';

export interface VectorPair {
  /** The vectors before the rotation, or those of the reference. */
  readonly first: Vectors;
  /** The vectors after the rotation, or those of the port. */
  readonly second: Vectors;
  readonly positions: TokenPositions;
  readonly claim?: EncodingConfig | undefined;
  readonly other?: EncodingConfig | undefined;
}

function readPositions(positions: TokenPositions | undefined, tokens: number): TokenPositions {
  if (!positions) return Array.from({ length: tokens }, (_, token) => token);
  const positionList = Array.from(positions as ArrayLike<number | readonly number[]>) as TokenPositions;
  if (positionList.length !== tokens)
    throw argumentError('positions', `has ${positionList.length} entries for ${tokens} tokens; expected one per token`);
  if (!coordinates(positionList).flat().every(Number.isFinite))
    throw argumentError('positions', 'contains a number that is not finite; expected finite positions');
  return positionList;
}

export function vectorPairOf(phasor: Phasor, request: RotationDump | TwoImplementationsDump): VectorPair {
  const names = 'before' in request || 'after' in request ? ['before', 'after'] : ['reference', 'ours'];
  const claimed = claimOf(phasor, request);
  const axes = { ...request, knownHeadCounts: claimed.heads };
  const [first, second] = names.map((name) => {
    const tensor = (request as unknown as { readonly [field: string]: unknown })[name] as TensorData | undefined;
    if (!tensor) throw argumentError(name, 'is missing; expected both tensors of this dump');
    return vectorsOf(name, tensor, axes);
  }) as [Vectors, Vectors];
  const { claim, other } = forDim(phasor, claimed, first.dim);
  return { first, second, positions: readPositions(request.positions, first.tokens), claim, other };
}
