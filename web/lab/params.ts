// What the controls show of an encoding's parameters, decided from what it says about them.
import type { EncodingInfo, ParamInfo, Params } from '../engine/index.ts';
import { isUsed, paramValue } from '../figure/parameters.ts';

export interface Sorted {
  /** Shown at once. */
  readonly first: readonly ParamInfo[];
  /** Behind 'more parameters'. */
  readonly rest: readonly ParamInfo[];
  /** Arrays, which have no control. */
  readonly arrays: readonly ParamInfo[];
}

/** So many are shown at once when nobody says which come first. */
const FEW = 3;

/** The parameters that have an effect, by how soon a reader needs them. */
export function sorted(encoding: EncodingInfo, params: Params, first?: readonly string[]): Sorted {
  const used = encoding.params.filter((param) => isUsed(param, encoding, params));
  const arrays = used.filter(({ kind }) => kind === 'tensor');
  const fields = used.filter(({ kind }) => kind !== 'tensor');
  const chosen = first ? fields.filter(({ name }) => first.includes(name)) : fields.slice(0, FEW);
  // One more control takes no more room than the words that it is hidden.
  if (fields.length <= chosen.length + 1) return { first: fields, rest: [], arrays };
  return { first: chosen, rest: fields.filter((param) => !chosen.includes(param)), arrays };
}

export interface SliderRange {
  readonly min: number;
  readonly max: number;
  readonly logarithmic: boolean;
}

/** A slider for a parameter, where one could be set with it: wide ranges are logarithmic, and those that reach 0 are typed. */
export function sliderOf({ kind, min, max, logarithmic }: ParamInfo): SliderRange | undefined {
  if (logarithmic || max - min <= 64) return { min, max, logarithmic };
  return kind === 'integer' && min >= 1 ? { min, max, logarithmic: true } : undefined;
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** One sentence about the arrays of an encoding: where their numbers come from. */
export function arraysLine(encoding: EncodingInfo, params: Params, arrays: readonly ParamInfo[]): string | undefined {
  if (arrays.length === 0) return undefined;
  const names = listed(arrays.map(({ name }) => name));
  const [they, them] = arrays.length === 1 ? ['it is', 'it'] : ['they are', 'them'];
  const seed = encoding.params.find(({ name }) => name === 'seed');
  const drawn = seed && `drawn from seed ${paramValue(params, seed)}`;
  if (encoding.learned)
    return `Nothing is trained here: numbers are as before training${drawn ? `, ${drawn}` : ''}. A program can give ${names}.`;
  return `A program can give ${names}; without ${them}, ${they} ${drawn ? `${drawn} or ` : ''}computed.`;
}
