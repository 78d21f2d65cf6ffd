// The encoding and its settings as one line, for folded settings.

import { spaced } from '../../charts/english.ts';
import type { EncodingInfo, Params } from '../../engine/index.ts';
import { isUsed, paramValue } from '../../figure/contract/parameters.ts';
import type { LabState } from '../state/state.ts';

/** 'base 10000 · interleaved · causal mask · 4 heads': the first parameters that apply, and differences from defaults. */
export function encodingLine(
  encoding: EncodingInfo,
  { params, mask, heads }: Pick<LabState, 'params' | 'mask' | 'heads'>,
  first: readonly string[],
): string {
  return [
    ...paramsLine(encoding, params, first),
    ...(mask === 'causal' ? ['causal mask'] : []),
    `${heads} ${heads === 1 ? 'head' : 'heads'}`,
  ].join(' · ');
}

function paramsLine(encoding: EncodingInfo, params: Params, first: readonly string[]): string[] {
  return encoding.params
    .filter(
      (param) =>
        isUsed(param, encoding, params) && param.kind !== 'tensor' && (first.includes(param.name) || params[param.name] !== undefined),
    )
    .map((param) => {
      const value = paramValue(params, param);
      if (typeof value === 'boolean') return value ? spaced(param.name) : `not ${spaced(param.name)}`;
      if (value === 'none') return `no ${spaced(param.name)}`;
      return param.kind === 'choice' ? spaced(String(value)) : `${spaced(param.name)} ${value}`;
    });
}
