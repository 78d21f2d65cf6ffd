// What is said when a figure has no numbers, and whether another engine may have them.
import { type ErrorAbout, PhasorError } from '../../engine/errors/errors.ts';
import type { AnyKind } from '../contract/registry.ts';
import { SpecError } from '../contract/spec.ts';
import { WORDS } from '../contract/strings.ts';

/** Why there is no picture of what is asked for: one sentence that begins with the name of a field. */
export interface Failure extends ErrorAbout {
  /** The field that the path leads into; empty where none is to blame. */
  readonly field: string;
  readonly message: string;
  /** Whether the engine is to blame, and not what is asked for: another one may know. */
  readonly ofEngine?: true;
}

/** 'positions' of 'positions[3]', 'map' of 'map.cell'. */
const firstOf = (path = ''): string => /^\w+/.exec(path)?.[0] ?? '';

/** `isRunning`: whether there was an engine. */
export const failureOf = (thrown: unknown, { id, fields }: AnyKind, isRunning: boolean): Failure => {
  if (thrown instanceof SpecError) return { field: thrown.field, path: thrown.field, message: thrown.message };
  const { message, code, path, value, allowed } = PhasorError.from(thrown);
  if (!isRunning || (thrown instanceof PhasorError && code === 'internal'))
    return { field: '', message: isRunning ? WORDS.lost(message) : message, ofEngine: true };
  const field = firstOf(path);
  // Names that are no fields are taken for parameters of the encoding, whose names only the core knows.
  const isMisspelled = code === 'unknown_name' && field !== '' && !Object.hasOwn(fields, field);
  return { field, path, value, allowed, message: isMisspelled ? `${message}; ${WORDS.fieldsOf(id, Object.keys(fields))}` : message };
};
