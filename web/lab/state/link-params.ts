// Checks a link's parameters against those that the selected encoding declares.
import type { EncodingInfo, ParamInfo, Params } from '../../engine/index.ts';
import { FieldError, formatValue } from '../../figure/contract/fields.ts';
import { STRINGS } from '../../figure/contract/strings.ts';
import { formatErrorClause } from './link.ts';
import { printParam } from './link-fields.ts';

/** Converts a value from a link to the parameter's type. The core checks the ranges of numbers. */
function convertValue({ kind, choices }: ParamInfo, value: Params[string]): Params[string] {
  const text = formatValue(printParam(value) ?? '');
  if (kind === 'tensor') {
    if (typeof value === 'number') return { shape: [1], data: Float32Array.of(value) };
    if (typeof value !== 'object') throw new FieldError('is not a list of numbers like 0.5;0.25', text);
    return value;
  }
  if (kind === 'choice') {
    // A choice may look like a number, so the value may have been parsed as one.
    if (!choices.includes(String(value))) throw new FieldError(STRINGS.noneOf(choices), text);
    return String(value);
  }
  if (kind === 'boolean' && typeof value !== 'boolean') throw new FieldError('is neither true nor false', text);
  if (kind !== 'boolean' && typeof value !== 'number') throw new FieldError('is not a number', text);
  return value;
}

export interface LinkedParams {
  readonly params: Params;
  /** One sentence for each invalid parameter. */
  readonly problem?: string | undefined;
}

export function checkLinkedParams(paramsInLink: Params, { id, params: paramInfos }: EncodingInfo): LinkedParams {
  const problems: string[] = [];
  const validEntries = Object.entries(paramsInLink).flatMap(([name, value]) => {
    const param = paramInfos.find((info) => info.name === name);
    try {
      if (!param) throw new FieldError(`is not a parameter of ${id}`);
      return [[name, convertValue(param, value)] as const];
    } catch (error) {
      if (!(error instanceof FieldError)) throw error;
      problems.push(`In this link ${name} ${formatErrorClause(error)}; ${param ? 'the default is used instead' : 'it is ignored'}.`);
      return [];
    }
  });
  const params = Object.fromEntries(validEntries);
  return problems.length > 0 ? { params, problem: problems.join(' ') } : { params };
}
