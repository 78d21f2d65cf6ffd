// The parameters of an encoding as they are set, and which of them have an effect.
import type { EncodingInfo, ParamInfo, Params } from '../engine/index.ts';

/** The value of a parameter that is not an array. */
export const paramValue = (params: Params, { name, default: usual }: ParamInfo): string | number | boolean =>
  (params[name] ?? usual) as string | number | boolean;

/** Whether a parameter has an effect beside the words that are chosen. */
export function isUsed({ appliesWhen }: ParamInfo, encoding: EncodingInfo, params: Params): boolean {
  const choice = appliesWhen && encoding.params.find(({ name }) => name === appliesWhen.param);
  return !choice || appliesWhen.values.includes(String(paramValue(params, choice)));
}

/** Without the parameters that the chosen words make idle: they wait for other words. Unknown names stay, to be refused. */
export function usedParams(params: Params, encoding: EncodingInfo): Params {
  const idle = (name: string): boolean => encoding.params.some((param) => param.name === name && !isUsed(param, encoding, params));
  return Object.fromEntries(Object.entries(params).filter(([name]) => !idle(name)));
}

/** The value of a parameter by its name. */
export const paramOf =
  (params: Params, encoding: EncodingInfo) =>
  (name: string): unknown => {
    const param = encoding.params.find((one) => one.name === name);
    return param && paramValue(params, param);
  };
