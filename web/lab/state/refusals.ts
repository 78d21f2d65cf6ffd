// Errors of the core in the terms of the Lab: the core names arguments, whose controls may have other names, and does not list accepted values.

import { either } from '../../charts/english.ts';
import type { Failure } from '../../figure/runtime/outcome.ts';
import type { LabState } from './state.ts';

export interface Refusal {
  readonly message: string;
  /** The controls that may have caused it, the most likely first. */
  readonly names: readonly string[];
  /** The rejected argument, by its name in the core. */
  readonly path?: string | undefined;
}

const divisorsOf = (dim: number): string[] =>
  Array.from({ length: dim }, (_, at) => at + 1)
    .filter((count) => dim % count === 0)
    .map(String);

const isOfPosition = (path: string): boolean => path.startsWith('positions[');

/** The message of the core, or its replacement. */
export function refusalOf({ field, argument = '', value, allowed, message }: Failure, { dim }: Pick<LabState, 'dim'>): Refusal {
  if (argument === 'heads' && typeof value === 'number' && allowed === undefined && dim % value !== 0) {
    const advice = `dim ${dim} is not divisible by ${value}; try ${either.format(divisorsOf(dim))}`;
    return { message: `heads: ${advice}`, names: ['heads', 'dim'], path: argument };
  }
  // The first word is at positionOffset, so an error about a position belongs to that control.
  if (isOfPosition(argument))
    return { message: `positionOffset: position${message.slice(argument.length + 1)}`, names: ['positionOffset'], path: argument };
  return { message, names: [field], path: argument };
}
