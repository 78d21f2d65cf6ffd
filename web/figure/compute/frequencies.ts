import { period } from '../../charts/clocks/clocks.ts';
import type { EncodingInfo, Params, Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import type { Engine } from '../contract/kind.ts';
import { createParamReader, isUsed, withUsedParams } from '../contract/parameters.ts';
import { computeRotaryProof, type RotaryProof } from './rotary-proof.ts';

export interface ScaledFrequencies {
  readonly scaling: string;
  readonly encoding: EncodingSpec;
  /** [pairs], in radians per token */
  readonly invFreq: Float32Array;
  /** [pairs], in tokens per rotation; Infinity for a pair that does not rotate */
  readonly wavelengths: Float32Array;
  /** [pairs], in radians, at position `length` */
  readonly finalAngles: Float32Array;
  /** Factor applied to cosines and sines. */
  readonly attentionFactor: number;
}

export interface Frequencies extends RotaryProof {
  /** One entry per scaling, starting with the one selected by the user. */
  readonly scaledFrequencies: readonly ScaledFrequencies[];
  /** [pairs], in radians, at position `trained`, without scaling */
  readonly trainedAngles: Float32Array;
  readonly dim: number;
  readonly trained: number;
  readonly length: number;
  readonly startTokens: number;
}

const determinesScaling = ({ name, appliesWhen }: EncodingInfo['params'][number]): boolean =>
  name === 'scaling' || name === 'start_tokens' || name === 'attention_factor' || appliesWhen?.param === 'scaling';

/** Replaces an encoding's scaling, and sets those of `params` that apply to the new scaling. */
export function withScaling({ id, ...currentParams }: EncodingSpec, info: EncodingInfo, scaling: string, params: Params): EncodingSpec {
  const otherParams = Object.entries(currentParams).filter(
    ([name]) => !info.params.some((param) => param.name === name && determinesScaling(param)),
  );
  const rescaledEncoding: EncodingSpec = { id, ...Object.fromEntries(otherParams), scaling };
  const applicableParams = Object.entries(params).filter(([name]) =>
    info.params.some((param) => param.name === name && isUsed(param, info, rescaledEncoding)),
  );
  return { ...rescaledEncoding, ...Object.fromEntries(applicableParams) };
}

/** Sets those of `lengths` that the encoding's scaling uses and that are not set yet. */
export function withLengths(encoding: EncodingSpec, info: EncodingInfo, lengths: Params): EncodingSpec {
  const missingLengths = Object.entries(lengths).filter(
    ([name]) =>
      encoding[name] === undefined &&
      info.params.some((param) => param.name === name && param.appliesWhen && isUsed(param, info, encoding)),
  );
  return { ...encoding, ...Object.fromEntries(missingLengths) };
}

async function computeScaledFrequencies(
  engine: Engine,
  encoding: EncodingSpec,
  info: EncodingInfo,
  width: number,
  length: number,
): Promise<ScaledFrequencies> {
  const appliedEncoding = withUsedParams(encoding, engine.encodings);
  const { invFreq, attentionFactor } = await engine.ropeFrequencies({ encoding: appliedEncoding, dim: width });
  const angles = await engine.rotaryAngles({ encoding: appliedEncoding, positions: [length], dim: width });
  return {
    scaling: String(createParamReader(encoding, info)('scaling')),
    encoding: appliedEncoding,
    invFreq: invFreq.data,
    wavelengths: invFreq.data.map(period),
    finalAngles: angles.data,
    attentionFactor,
  };
}

export interface FrequencyRequest {
  readonly encoding: EncodingSpec;
  /** The scalings to compare with the encoding's own. */
  readonly others: readonly string[];
  readonly factor: number;
  readonly dim: number;
  /** Maximum length during training, in tokens. */
  readonly trained: number;
  readonly length: number;
}

export async function computeFrequencies(
  { encoding, others: otherScalings, factor, dim, trained: trainedLength, length }: FrequencyRequest,
  engine: Engine,
): Promise<Frequencies> {
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  if (!info) throw new Error(`encoding: ${encoding.id} does not exist`);
  const lengths = { original_length: trainedLength, sequence_length: length };
  const configuredEncoding = withLengths(encoding, info, lengths);
  const readParam = createParamReader(configuredEncoding, info);
  const params = { factor: configuredEncoding.factor ?? factor, ...lengths };
  const comparedEncodings = [
    configuredEncoding,
    ...otherScalings
      .filter((otherScaling) => otherScaling !== readParam('scaling'))
      .map((otherScaling) => withScaling(configuredEncoding, info, otherScaling, params)),
  ];
  const scaledFrequencies: ScaledFrequencies[] = [];
  for (const comparedEncoding of comparedEncodings)
    scaledFrequencies.push(await computeScaledFrequencies(engine, comparedEncoding, info, dim, length));
  const unscaledEncoding = withScaling(configuredEncoding, info, 'none', {});
  const { data: trainedAngles } = await engine.rotaryAngles({ encoding: unscaledEncoding, positions: [trainedLength], dim });

  const [selectedScaling] = scaledFrequencies as [ScaledFrequencies];
  const vectors: Tensor = await engine.randomNormal({ seed: 1, shape: [2, dim] });
  const q = { shape: [1, dim], data: vectors.data.slice(0, dim) };
  const k = { shape: [1, dim], data: vectors.data.slice(dim) };
  const vectorTensor = { shape: [1, 2, dim], data: vectors.data };
  const rotatedVectors = await engine.applyRotary(vectorTensor, { encoding: selectedScaling.encoding, positions: [trainedLength, length] });
  const positions = [0, 1, 5, trainedLength, length];
  const proof = await computeRotaryProof(
    engine,
    { encoding: selectedScaling.encoding, q, k, positions },
    { shape: [2, dim], data: rotatedVectors.data },
  );
  return {
    ...proof,
    scaledFrequencies,
    trainedAngles,
    dim,
    trained: trainedLength,
    length,
    startTokens: Number(readParam('start_tokens') ?? 0),
  };
}
