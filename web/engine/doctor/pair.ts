// Reads the two tensors of a request that contains vectors, and resolves its claimed encoding.

import { argumentError } from '../errors.ts';
import type { EncodingConfig, Phasor } from '../types/api.ts';
import type { TensorData } from '../types/tensors.ts';
import { resolveClaim, resolveForDim } from './claims.ts';
import { readVectors, type Vectors } from './dump.ts';
import type { RotationDump, TwoImplementationsDump } from './requests.ts';
import { coordinatesOf, type TokenPositions } from './state.ts';

export interface VectorPair {
  /** Vectors before the rotation. When two implementations are compared: the result of the reference. */
  readonly first: Vectors;
  /** Vectors after the rotation. When two implementations are compared: that of the implementation under test. */
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
  if (!coordinatesOf(positionList).flat().every(Number.isFinite))
    throw argumentError('positions', 'contains a number that is not finite; expected finite positions');
  return positionList;
}

export function readVectorPair(phasor: Phasor, request: RotationDump | TwoImplementationsDump): VectorPair {
  const names = 'before' in request || 'after' in request ? ['before', 'after'] : ['reference', 'ours'];
  const claimed = resolveClaim(phasor, request);
  const axes = { ...request, knownHeadCounts: claimed.heads };
  const [first, second] = names.map((name) => {
    const tensor = (request as unknown as { readonly [field: string]: unknown })[name] as TensorData | undefined;
    if (!tensor) throw argumentError(name, 'is missing; expected both tensors of this dump');
    return readVectors(name, tensor, axes);
  }) as [Vectors, Vectors];
  const { claim, other } = resolveForDim(phasor, claimed, first.dim);
  return { first, second, positions: readPositions(request.positions, first.tokens), claim, other };
}
