// A state is a hypothesis about a dump: an encoding, positions, and deviations that no encoding has, such as a second rotation. The core computes
// its angles and gain.

import type { EncodingConfig, Phasor } from '../types/api.ts';
import { toBf16, toF16 } from './dump.ts';
import type { Planes } from './planes.ts';
import type { Finding } from './report.ts';

/** The position of each token: a number, or coordinates. */
export type TokenPositions = readonly number[] | readonly (readonly number[])[];

export interface State {
  /** `none`, `rope`, `mrope` or `rope_2d` with its parameters. */
  readonly encoding: EncodingConfig;
  /** Indices of the examined tokens, and their positions. */
  readonly tokens: readonly number[];
  readonly positions: TokenPositions;
  readonly planes: Planes;
  readonly angleFactor: number;
  /** Factor applied to cosines and sines. */
  readonly gain: number;
  /** The values that are rounded, and their format. */
  readonly rounding?: { readonly where: 'inv_freq' | 'angles'; readonly format: 'f16' | 'bf16' };
  /** For faults in which the head index affects the position: 'index' replaces the position with it, 'plus_index' adds it to the position. */
  readonly heads?: 'index' | 'plus_index';
  /** Whether the pairs of a grid encoding alternate between rows and columns. */
  readonly isAlternating?: boolean;
  readonly findings: readonly Finding[];
}

/** An encoding's parameters as a plain record, which variations can change. */
export type Parameters = { readonly [name: string]: EncodingConfig[string] };
export const withParameters = (encoding: EncodingConfig, change: Parameters, removed: readonly string[] = []): EncodingConfig =>
  Object.fromEntries(Object.entries({ ...encoding, ...change }).filter(([name]) => !removed.includes(name))) as EncodingConfig;

export const numberParam = (encoding: EncodingConfig, name: string, defaultValue: number): number => {
  const value = encoding[name];
  return typeof value === 'number' ? value : defaultValue;
};
export const baseOf = (encoding: EncodingConfig): number => numberParam(encoding, 'base', encoding.id === 'mrope' ? 1e6 : 10000);
export const scalingOf = (encoding: EncodingConfig): string => (typeof encoding.scaling === 'string' ? encoding.scaling : 'none');

/** Parameters of scalings. */
const SCALING_PARAMETERS = [
  'scaling',
  'factor',
  'original_length',
  'max_length',
  'sequence_length',
  'attention_factor',
  'beta_fast',
  'beta_slow',
  'truncate',
  'mscale',
  'mscale_all_dim',
  'low_freq_factor',
  'high_freq_factor',
  'short_factor',
  'long_factor',
  'magnitude',
  'beta_0',
  'beta_1',
  'gamma_0',
  'gamma_1',
];
export const removeScaling = (encoding: EncodingConfig): EncodingConfig => withParameters(encoding, {}, SCALING_PARAMETERS);

const isGrid = (positions: TokenPositions): positions is readonly (readonly number[])[] => Array.isArray(positions[0]);
export const coordinatesOf = (positions: TokenPositions): readonly (readonly number[])[] =>
  isGrid(positions) ? positions : (positions as readonly number[]).map((position) => [position]);

function positionsForCore(positions: TokenPositions) {
  const rows = coordinatesOf(positions);
  const axisCount = rows[0]?.length ?? 1;
  return { shape: axisCount === 1 ? [rows.length] : [rows.length, axisCount], data: Float64Array.from(rows.flat()) };
}

/** Returns the encoding that rotates like the state at the same positions, or undefined if the core has none. */
export function findEncoding(
  { encoding, planes, angleFactor, gain, rounding, heads, isAlternating }: State,
  angles: Angles,
): EncodingConfig | undefined {
  const { layout, output = layout, rotaryDim, span = rotaryDim } = planes;
  if (angleFactor !== 1 || rounding || heads || isAlternating || output !== layout || span !== rotaryDim) return undefined;
  if (gain !== angles.gainOf(encoding)) return undefined;
  return encoding.id === 'rope' || encoding.id === 'mrope' ? withParameters(encoding, { layout }) : encoding;
}

export class Angles {
  private readonly anglesByKey = new Map<string, Float32Array>();

  constructor(
    private readonly phasor: Phasor,
    readonly dim: number,
    private readonly headIndices: readonly number[],
  ) {}

  /** Returns the channel pairs that an encoding rotates in a head of `dim` channels. Throws the errors of the core. */
  planesOf(encoding: EncodingConfig): Planes {
    if (encoding.id === 'none') return { layout: 'half_split', rotaryDim: 0, offset: 0 };
    const axes = encoding.id === 'rope_2d' ? [0, 0] : [0];
    const rotaryDim = 2 * (this.coreAngles(encoding, [axes]).length || 0);
    const offset = numberParam(encoding, 'rotary_offset', 0);
    const isInterleaved =
      encoding.id === 'rope_2d' ? !/^(pixtral|qwen2_vl|dinov3)$/.test(String(encoding.convention ?? 'rope_vit')) : undefined;
    const namedLayout = encoding.layout ?? (encoding.id === 'mrope' ? 'half_split' : 'interleaved');
    return { layout: (isInterleaved ?? namedLayout === 'interleaved') ? 'interleaved' : 'half_split', rotaryDim, offset };
  }

  /** Returns the factor that an encoding applies to cosines and sines. */
  gainOf(encoding: EncodingConfig): number {
    if (encoding.id !== 'rope' && encoding.id !== 'mrope') return 1;
    return this.phasor.ropeFrequencies({ encoding, dim: this.dim }).attentionFactor;
  }

  private coreAngles(encoding: EncodingConfig, positions: TokenPositions): Float32Array {
    const key = JSON.stringify([encoding, positions], (_, value) => (ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value));
    const cached = this.anglesByKey.get(key);
    if (cached) return cached;
    const angles = this.phasor.rotaryAngles({ encoding, dim: this.dim, positions: positionsForCore(positions) }).data as Float32Array;
    this.anglesByKey.set(key, angles);
    return angles;
  }

  /** Computes angles in radians: [tokens, pairs], or [tokens, heads, pairs] if heads differ. Returns undefined if the core rejects the encoding. */
  computeAngles(state: State): { readonly angles: Float64Array; readonly perHead: boolean } | undefined {
    if (state.encoding.id === 'none') return { angles: new Float64Array(0), perHead: false };
    try {
      if (!state.heads) return { angles: this.modifiedAngles(state, state.positions), perHead: false };
      const positions = state.positions as readonly number[];
      const anglesByHead = this.headIndices.map((head) =>
        this.modifiedAngles(
          state,
          positions.map((position) => (state.heads === 'index' ? head : position + head)),
        ),
      );
      const pairs = state.planes.rotaryDim / 2;
      const angles = new Float64Array(positions.length * anglesByHead.length * pairs);
      anglesByHead.forEach((headAngles, head) => {
        for (let token = 0; token < positions.length; token++)
          angles.set(headAngles.subarray(token * pairs, (token + 1) * pairs), (token * anglesByHead.length + head) * pairs);
      });
      return { angles, perHead: true };
    } catch {
      return undefined;
    }
  }

  private modifiedAngles({ encoding, angleFactor, rounding, isAlternating }: State, positions: TokenPositions): Float64Array {
    // A loop, because `Float64Array.from` with a callback is several times slower and a dump may have 4,096 tokens.
    const angles = new Float64Array(this.coreAngles(encoding, positions));
    for (let at = 0; at < angles.length; at++) angles[at] = (angles[at] as number) * angleFactor;
    const pairs = angles.length / positions.length;
    if (isAlternating) return alternatePairs(angles, pairs);
    if (!rounding) return angles;
    const roundTo = rounding.format === 'bf16' ? toBf16 : toF16;
    if (rounding.where === 'angles') return angles.map(roundTo);
    const unitAngles = this.coreAngles(encoding, [1]);
    return angles.map(
      (_, at) =>
        ((positions as readonly number[])[Math.floor(at / pairs)] as number) * angleFactor * roundTo(unitAngles[at % pairs] as number),
    );
  }
}

/** Reorders the pairs of a grid from rows before columns to alternating rows and columns. */
const alternatePairs = (angles: Float64Array, pairs: number) =>
  angles.map((_, at) => {
    const t = at % pairs;
    return angles[at - t + (t % 2) * (pairs / 2) + (t >> 1)] as number;
  });
