// What the core refuses, in the terms of the Lab: it names arguments, of which a control may have another name, and not what would be accepted.

import { either } from '../../charts/english.ts';
import type { Failure } from '../../figure/runtime/outcome.ts';
import type { LabState } from './state.ts';

export interface Refusal {
  readonly message: string;
  /** Controls that may have caused it, the first before the others. */
  readonly names: readonly string[];
  /** What is refused, as the core calls it. */
  readonly path?: string | undefined;
}

const divisorsOf = (width: number): string[] =>
  Array.from({ length: width }, (_, at) => at + 1)
    .filter((count) => width % count === 0)
    .map(String);

const isOfPosition = (path: string): boolean => path.startsWith('positions[');

/** The message of the core, or what the Lab says instead. */
export function refusalOf({ field, path = '', value, allowed, message }: Failure, { width }: Pick<LabState, 'width'>): Refusal {
  if (path === 'heads' && typeof value === 'number' && allowed === undefined && width % value !== 0) {
    const why = `the width ${width} is not divisible by ${value}; try ${either.format(divisorsOf(width))}`;
    return { message: `heads: ${why}`, names: ['heads', 'width'], path };
  }
  // The first word is at the offset.
  if (isOfPosition(path)) return { message: `offset: position${message.slice(path.length + 1)}`, names: ['offset'], path };
  return { message, names: [field], path };
}
