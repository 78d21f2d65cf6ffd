// The parameters of an encoding: their values, their controls, and which of them apply.
import type { EncodingConfig, EncodingInfo, ParamInfo, Params } from '../../engine/index.ts';
import type { Control } from './fields.ts';

/** The value of a non-tensor parameter, or its default. */
export const getParamValue = (params: Params, { name, default: defaultValue }: ParamInfo): string | number | boolean =>
  (params[name] ?? defaultValue) as string | number | boolean;

/** The control of a parameter, in figures and in the Lab. */
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

/** Whether a parameter applies, which depends on the values of other parameters. */
export function isUsed({ appliesWhen }: ParamInfo, encoding: EncodingInfo, params: Params): boolean {
  const conditionParam = appliesWhen && encoding.params.find(({ name }) => name === appliesWhen.param);
  return !conditionParam || appliesWhen.values.includes(String(getParamValue(params, conditionParam)));
}

/** The parameters that apply, and those with unknown names, which the core rejects. */
export function selectUsedParams(params: Params, encoding: EncodingInfo): Params {
  const isUnused = (name: string): boolean => encoding.params.some((param) => param.name === name && !isUsed(param, encoding, params));
  return Object.fromEntries(Object.entries(params).filter(([name]) => !isUnused(name)));
}

/** The encoding with only the parameters that apply, because the core may reject others. */
export function withUsedParams({ id, ...params }: EncodingConfig, encodings: readonly EncodingInfo[]): EncodingConfig {
  const info = encodings.find((candidate) => candidate.id === id);
  return { ...(info ? selectUsedParams(params, info) : params), id };
}

/** Returns a function that looks up the value of a parameter by name. */
export const createParamReader =
  (params: Params, encoding: EncodingInfo) =>
  (name: string): unknown => {
    const param = encoding.params.find((candidate) => candidate.name === name);
    return param && getParamValue(params, param);
  };
