// Checks the parameters of a link against the declaration of the selected encoding.
import type { EncodingInfo, ParamInfo, Params } from '../../engine/index.ts';
import { LinkError, printedParam, quoted } from './state.ts';

/** Converts the value of a link to the type of the parameter; the core checks numeric ranges. */
function converted({ kind, choices }: ParamInfo, value: Params[string]): Params[string] {
  const text = quoted(printedParam(value) ?? '');
  if (kind === 'tensor') {
    if (typeof value === 'number') return { shape: [1], data: Float32Array.of(value) };
    if (typeof value !== 'object') throw new LinkError(`is ${text}, which is not a list of numbers like 0.5;0.25`);
    return value;
  }
  if (kind === 'choice') {
    // An option may look like a number.
    if (!choices.includes(String(value))) throw new LinkError(`is ${text}, but must be one of: ${choices.join(', ')}`);
    return String(value);
  }
  if (kind === 'boolean' && typeof value !== 'boolean') throw new LinkError(`is ${text}, which is neither true nor false`);
  if (kind !== 'boolean' && typeof value !== 'number') throw new LinkError(`is ${text}, which is not a number`);
  return value;
}

export interface LinkedParams {
  readonly params: Params;
  /** A sentence about each parameter that is ignored. */
  readonly problem?: string | undefined;
}

/** The valid parameters of a link. */
export function linkedParams(linked: Params, { id, params: known }: EncodingInfo): LinkedParams {
  const problems: string[] = [];
  const kept = Object.entries(linked).flatMap(([name, value]) => {
    const param = known.find((one) => one.name === name);
    try {
      if (!param) throw new LinkError(`is not a parameter of ${id}`);
      return [[name, converted(param, value)] as const];
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      problems.push(`In this link ${name} ${error.message}; ${param ? 'the default is used instead' : 'it is ignored'}.`);
      return [];
    }
  });
  const params = Object.fromEntries(kept);
  return problems.length > 0 ? { params, problem: problems.join(' ') } : { params };
}
