import type { Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import type { Engine } from '../contract/kind.ts';
import { withUsedParams } from '../contract/parameters.ts';

export interface BiasSpec {
  readonly encoding: EncodingSpec;
  readonly heads: number;
  /** Channels per head. */
  readonly dim: number;
  readonly length: number;
  readonly seed: number;
}

export async function createBiasRequest({ encoding, heads, dim, length, seed }: BiasSpec, engine: Engine) {
  const encodingConfig = withUsedParams(encoding, engine.encodings);
  const shape = [heads, length, dim];
  const q = await engine.randomNormal({ seed, shape });
  const k = await engine.randomNormal({ seed: (seed + 1) % 2 ** 32, shape });
  return { q, k, encoding: encodingConfig };
}

/** Returns the bias, [heads, positions, positions]. */
export async function computeBias(request: Awaited<ReturnType<typeof createBiasRequest>>, engine: Engine): Promise<Tensor> {
  const { bias } = await engine.attention({ ...request, v: request.k, outputs: ['bias'] });
  return bias;
}
