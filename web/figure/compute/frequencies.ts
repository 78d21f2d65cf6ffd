// The frequencies and angles of rotary positions under several scalings, computed by the core.
import { period } from '../../charts/clocks/clocks.ts';
import type { EncodingInfo, Params, Tensor } from '../../engine/index.ts';
import type { EncodingSpec } from '../contract/fields.ts';
import type { Engine } from '../contract/kind.ts';
import { isUsed, paramOf, usedEncoding } from '../contract/parameters.ts';
import { type RotaryProof, rotaryProof } from './rotary-proof.ts';

/** The pairs of channels under one scaling. */
export interface Scaled {
  readonly scaling: string;
  readonly encoding: EncodingSpec;
  /** [pairs], radians per token */
  readonly invFreq: Float32Array;
  /** [pairs], tokens per rotation; Infinity for pairs that do not rotate */
  readonly wavelengths: Float32Array;
  /** [pairs], radians at the last position of the text */
  readonly reached: Float32Array;
  /** The factor of cosines and sines. */
  readonly attentionFactor: number;
}

export interface Frequencies extends RotaryProof {
  /** The scalings, the selected one first. */
  readonly scaled: readonly Scaled[];
  /** [pairs], radians at the last position of the training texts, without scaling */
  readonly trainedAngles: Float32Array;
  readonly dim: number;
  readonly trained: number;
  readonly length: number;
  readonly startTokens: number;
}

/** Parameters that determine the scaling of frequencies. */
const isAboutScaling = ({ name, appliesWhen }: EncodingInfo['params'][number]): boolean =>
  name === 'scaling' || name === 'start_tokens' || name === 'attention_factor' || appliesWhen?.param === 'scaling';

/** The encoding under another scaling, with those of `params` that the scaling has. */
export function withScaling({ id, ...own }: EncodingSpec, info: EncodingInfo, scaling: string, params: Params): EncodingSpec {
  const stored = Object.entries(own).filter(([name]) => !info.params.some((param) => param.name === name && isAboutScaling(param)));
  const next: EncodingSpec = { id, ...Object.fromEntries(stored), scaling };
  const read = Object.entries(params).filter(([name]) => info.params.some((param) => param.name === name && isUsed(param, info, next)));
  return { ...next, ...Object.fromEntries(read) };
}

/** The encoding with these lengths, each set only if the scaling has the parameter and the reader has not set it. */
export function withLengths(encoding: EncodingSpec, info: EncodingInfo, lengths: Params): EncodingSpec {
  const missing = Object.entries(lengths).filter(
    ([name]) =>
      encoding[name] === undefined &&
      info.params.some((param) => param.name === name && param.appliesWhen && isUsed(param, info, encoding)),
  );
  return { ...encoding, ...Object.fromEntries(missing) };
}

async function scaledOf(engine: Engine, encoding: EncodingSpec, info: EncodingInfo, width: number, length: number): Promise<Scaled> {
  const used = usedEncoding(encoding, engine.encodings);
  const { invFreq, attentionFactor } = await engine.ropeFrequencies({ encoding: used, dim: width });
  const angles = await engine.rotaryAngles({ encoding: used, positions: [length], dim: width });
  return {
    scaling: String(paramOf(encoding, info)('scaling')),
    encoding: used,
    invFreq: invFreq.data,
    wavelengths: invFreq.data.map(period),
    reached: angles.data,
    attentionFactor,
  };
}

export interface FrequencyRequest {
  readonly encoding: EncodingSpec;
  /** Scalings to compare with. */
  readonly others: readonly string[];
  readonly factor: number;
  readonly dim: number;
  /** The longest training text, in tokens. */
  readonly trained: number;
  readonly length: number;
}

export async function frequencyNumbers(
  { encoding, others, factor, dim, trained, length }: FrequencyRequest,
  engine: Engine,
): Promise<Frequencies> {
  const info = engine.encodings.find(({ id }) => id === encoding.id);
  if (!info) throw new Error(`there is no ${encoding.id}`);
  const lengths = { original_length: trained, sequence_length: length };
  const configured = withLengths(encoding, info, lengths);
  const param = paramOf(configured, info);
  const params = { factor: configured.factor ?? factor, ...lengths };
  const choices = [
    configured,
    ...others.filter((other) => other !== param('scaling')).map((other) => withScaling(configured, info, other, params)),
  ];
  const scaled: Scaled[] = [];
  for (const choice of choices) scaled.push(await scaledOf(engine, choice, info, dim, length));
  const unscaled = withScaling(configured, info, 'none', {});
  const { data: trainedAngles } = await engine.rotaryAngles({ encoding: unscaled, positions: [trained], dim });

  const [first] = scaled as [Scaled];
  const vectors: Tensor = await engine.randomNormal({ seed: 1, shape: [2, dim] });
  const q = { shape: [1, dim], data: vectors.data.slice(0, dim) };
  const k = { shape: [1, dim], data: vectors.data.slice(dim) };
  const pairOfVectors = { shape: [1, 2, dim], data: vectors.data };
  const rotated = await engine.applyRotary(pairOfVectors, { encoding: first.encoding, positions: [trained, length] });
  const positions = [0, 1, 5, trained, length];
  const proof = await rotaryProof(engine, { encoding: first.encoding, q, k, positions }, { shape: [2, dim], data: rotated.data });
  return { ...proof, scaled, trainedAngles, dim, trained, length, startTokens: Number(param('start_tokens') ?? 0) };
}
