// The parameters of a link, compared with what the chosen encoding says about its own: a link only shows that they are words.
import type { EncodingInfo, ParamInfo, Params } from '../engine/index.ts';
import { LinkError, quoted } from './state.ts';

/** A value of a link as the parameter takes it; ranges of numbers are the core's to check, at the control. */
function taken({ kind, choices }: ParamInfo, value: Params[string]): Params[string] {
  const text = quoted(String(value));
  if (kind === 'tensor') throw new LinkError('is an array, which only a program can give');
  if (kind === 'choice') {
    // A word may look like a number.
    if (!choices.includes(String(value))) throw new LinkError(`is ${text}, which is none of ${choices.join(', ')}`);
    return String(value);
  }
  if (kind === 'boolean' && typeof value !== 'boolean') throw new LinkError(`is ${text}, which is neither true nor false`);
  if (kind !== 'boolean' && typeof value !== 'number') throw new LinkError(`is ${text}, which is not a number`);
  return value;
}

export interface LinkedParams {
  readonly params: Params;
  /** A sentence about each that is left out. */
  readonly problem?: string | undefined;
}

/** The parameters of a link that the encoding can take. */
export function linkedParams(linked: Params, { id, params: known }: EncodingInfo): LinkedParams {
  const problems: string[] = [];
  const kept = Object.entries(linked).flatMap(([name, value]) => {
    const param = known.find((one) => one.name === name);
    try {
      if (!param) throw new LinkError(`is not a parameter of ${id}`);
      return [[name, taken(param, value)] as const];
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      problems.push(`In this link ${name} ${error.message}; ${param ? 'the usual value is used instead' : 'it is left out'}.`);
      return [];
    }
  });
  const params = Object.fromEntries(kept);
  return problems.length > 0 ? { params, problem: problems.join(' ') } : { params };
}
