// Controls for an encoding's parameters, generated from the parameter declarations.

import { joinWithAnd } from '../../charts/english.ts';
import type { EncodingInfo, ParamInfo, Params } from '../../engine/index.ts';
import { getParamValue, isUsed } from '../../figure/contract/parameters.ts';
import type { SliderRange } from '../../figure/controls/slider.ts';

export interface ParamGroups {
  readonly initialParams: readonly ParamInfo[];
  /** Parameters listed under 'more parameters'. */
  readonly moreParams: readonly ParamInfo[];
  /** Tensor parameters, which have no controls. */
  readonly tensors: readonly ParamInfo[];
}

const INITIAL_PARAM_COUNT = 3;

export function groupParams(encoding: EncodingInfo, params: Params, mainParams?: readonly string[]): ParamGroups {
  const usedParams = encoding.params.filter((param) => isUsed(param, encoding, params));
  const tensors = usedParams.filter(({ kind }) => kind === 'tensor');
  const controlParams = usedParams.filter(({ kind }) => kind !== 'tensor');
  const initialParams = mainParams
    ? controlParams.filter(({ name }) => mainParams.includes(name))
    : controlParams.slice(0, INITIAL_PARAM_COUNT);
  // A single remaining control is not collapsed, because the line 'more parameters' takes as much space.
  if (controlParams.length <= initialParams.length + 1) return { initialParams: controlParams, moreParams: [], tensors };
  return { initialParams, moreParams: controlParams.filter((param) => !initialParams.includes(param)), tensors };
}

/** Returns the slider for a range. A wide range gets a logarithmic slider, or none if it allows fractions or values below 1. */
export function chooseSlider({ min, max, whole: isWhole, logarithmic }: SliderRange): SliderRange | undefined {
  if (logarithmic || max - min <= 64) return { min, max, whole: isWhole, logarithmic };
  return isWhole && min >= 1 ? { min, max, whole: isWhole, logarithmic: true } : undefined;
}

/** Returns a sentence about how the encoding's tensors are initialized. */
export function describeTensors(encoding: EncodingInfo, params: Params, tensors: readonly ParamInfo[]): string | undefined {
  if (tensors.length === 0) return undefined;
  const names = joinWithAnd.format(tensors.map(({ name }) => name));
  const seedParam = encoding.params.find(({ name }) => name === 'seed');
  const seedClause = seedParam && `drawn with seed ${getParamValue(params, seedParam)}`;
  if (encoding.learned)
    return `Untrained: ${names} ${tensors.length === 1 ? 'has' : 'have'} random initial values${seedClause ? `, ${seedClause}` : ''}. The API accepts trained tensors.`;
  return seedClause
    ? `Not set: ${names} ${tensors.length === 1 ? 'is' : 'are'} ${seedClause} or computed. The API also accepts your own tensors.`
    : `Computed here: ${names}. The API also accepts your own tensors.`;
}
