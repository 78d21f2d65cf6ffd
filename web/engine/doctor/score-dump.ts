import { argumentError } from '../errors.ts';
import type { Phasor } from '../types/api.ts';
import type { TensorData } from '../types/tensors.ts';
import { resolveScoreClaim } from './claims.ts';
import { readTensor } from './dump.ts';
import { computeDotProducts } from './products.ts';
import type { ScoresDump } from './requests.ts';
import type { ScoreDump } from './scores.ts';

function requireTensor(name: string, tensor: TensorData | undefined): TensorData {
  if (!tensor) throw argumentError(name, 'is missing; expected both tensors of this dump');
  return tensor;
}

const readOptional = (name: string, tensor: TensorData | undefined) => tensor && readTensor(name, tensor);

/** Computes q.k unless the request contains `products`, and reads the claim from the config if there is one. */
export function readScoreDump(phasor: Phasor, { q, k, config, layerIdx, ...request }: ScoresDump): ScoreDump {
  if (request.claim && config) throw argumentError('claim', 'cannot be combined with config; expected one of the two');
  if (!request.scores && !request.weights) throw argumentError('scores', 'is missing; expected scores or weights together with products');
  const configClaim = config ? resolveScoreClaim(phasor, config, layerIdx) : undefined;
  const products = request.products
    ? readTensor('products', request.products)
    : computeDotProducts(readTensor('q', requireTensor('q', q)), readTensor('k', requireTensor('k', k)));
  const dim = request.dim ?? q?.shape.at(-1) ?? configClaim?.dim;
  if (dim === undefined || !(dim >= 1)) throw argumentError('dim', 'is missing; expected the number of channels per head');
  return {
    products,
    scores: readOptional('scores', request.scores),
    weights: readOptional('weights', request.weights),
    sinks: readOptional('sinks', request.sinks),
    dim,
    claim: request.claim ?? configClaim?.claim,
  };
}
