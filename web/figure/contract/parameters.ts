import type { EncodingConfig, EncodingInfo, ParamInfo, Params } from '../../engine/index.ts';
import type { Control } from './fields.ts';

export const getParamValue = (params: Params, { name, default: defaultValue }: ParamInfo): string | number | boolean =>
  (params[name] ?? defaultValue) as string | number | boolean;

export function createParamControl({ kind, min, max, logarithmic, choices }: ParamInfo): Exclude<Control, { kind: 'encoding' | 'text' }> {
  switch (kind) {
    case 'real':
    case 'integer':
      return { kind: 'number', min, max, whole: kind === 'integer', logarithmic };
    case 'choice':
      return { kind: 'choice', choices };
    case 'boolean':
      return { kind: 'switch' };
    case 'tensor':
      return { kind: 'none' };
  }
}

/** Whether a parameter has an effect, which may depend on the value of another parameter. */
export function isUsed({ appliesWhen }: ParamInfo, encoding: EncodingInfo, params: Params): boolean {
  const conditionParam = appliesWhen && encoding.params.find(({ name }) => name === appliesWhen.param);
  return !conditionParam || appliesWhen.values.includes(String(getParamValue(params, conditionParam)));
}

/** Returns the parameters that have an effect. Unknown parameters are kept, so that the core rejects them. */
export function selectUsedParams(params: Params, encoding: EncodingInfo): Params {
  const isUnused = (name: string): boolean => encoding.params.some((param) => param.name === name && !isUsed(param, encoding, params));
  return Object.fromEntries(Object.entries(params).filter(([name]) => !isUnused(name)));
}

/** Removes the parameters that have no effect, because the core may reject them. */
export function withUsedParams({ id, ...params }: EncodingConfig, encodings: readonly EncodingInfo[]): EncodingConfig {
  const info = encodings.find((candidate) => candidate.id === id);
  return { ...(info ? selectUsedParams(params, info) : params), id };
}

export const createParamReader =
  (params: Params, encoding: EncodingInfo) =>
  (name: string): unknown => {
    const param = encoding.params.find((candidate) => candidate.name === name);
    return param && getParamValue(params, param);
  };
