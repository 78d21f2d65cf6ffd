// Represents each pair of channels as a tone, whose frequency is the pair's number of rotations per second at a given
// token rate.
import { entryAt } from '../../../charts/entry-at.ts';
import { withScaling } from '../../compute/frequencies.ts';
import type { Engine } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { SpecError } from '../../contract/spec.ts';
import type { Spec } from './index.ts';
import { strings } from './strings.ts';

export const FULL_ROTATION = 2 * Math.PI;
/** Number of tokens at which rotations are compared with the tones. */
const COMPARED_TOKENS = 33;

export interface Tones {
  /** [pairs]: rotation per position, radians. */
  readonly invFreq: Float32Array;
  /** [pairs]: frequency in training, without scaling and with one position per token, Hz. */
  readonly trainedFrequencies: Float32Array;
  /** [pairs]: audible frequency after sampling at the tokens, which causes aliasing, Hz. */
  readonly heardFrequencies: Float32Array;
  /** [pairs]: frequency in continuous time, without sampling, Hz. */
  readonly unsampledFrequencies: Float32Array;
  readonly residual: number;
  readonly tolerance: number;
}

/**
 * Returns the smallest equivalent rotation per token. Tokens sample the rotation, so full rotations between two tokens
 * are inaudible.
 */
const computeAliasedAngle = (angle: number): number => Math.abs(angle - FULL_ROTATION * Math.round(angle / FULL_ROTATION));

export async function computeTones({ encoding, dim, step, rate }: Spec, engine: Engine): Promise<Tones> {
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  if (!info) throw new SpecError('encoding', strings.unknownEncoding(encoding.id));
  const resolvedEncoding = withUsedParams(encoding, engine.encodings);
  const { invFreq } = await engine.ropeFrequencies({ encoding: resolvedEncoding, dim });
  const unscaledFrequencies = await engine.ropeFrequencies({ encoding: withScaling(encoding, info, 'none', {}), dim });
  const convertToHertz = (angle: number): number => (angle * rate) / FULL_ROTATION;
  const heardFrequencies = invFreq.data.map((frequency) => convertToHertz(computeAliasedAngle(frequency * step)));

  const positions = Array.from({ length: COMPARED_TOKENS }, (_, token) => token * step);
  const angles = await engine.rotaryAngles({ encoding: resolvedEncoding, dim, positions });
  const pairCount = invFreq.data.length;
  const residual = angles.data.reduce((maximum, angle, index) => {
    const phase = FULL_ROTATION * (entryAt(heardFrequencies, index % pairCount) / rate) * Math.floor(index / pairCount);
    return Math.max(maximum, Math.abs(Math.cos(angle) - Math.cos(phase)));
  }, 0);
  const maxAngle = angles.data.reduce((maximum, angle) => Math.max(maximum, Math.abs(angle)), 1);
  return {
    invFreq: invFreq.data,
    trainedFrequencies: unscaledFrequencies.invFreq.data.map(convertToHertz),
    heardFrequencies,
    unsampledFrequencies: invFreq.data.map((frequency) => convertToHertz(frequency * step)),
    residual,
    tolerance: 1e-6 * Math.max(10, maxAngle),
  };
}
