import { PhasorError } from './errors.ts';
import { fieldNames, hasFields, printed } from './plain.ts';

/** Reads each option once. Unknown options are rejected by name instead of being ignored. */
export function readOptions<T extends object>(options: T, names: readonly (keyof T & string)[]): T {
  try {
    if (typeof options !== 'object' || options === null || !hasFields(options)) {
      throw new PhasorError('invalid_argument', `options: ${printed(options)} is not an object`);
    }
    const given = fieldNames(options).map((name) => [name, options[name as keyof T]] as const);
    const unknown = given.find(([name, value]) => value !== undefined && !names.includes(name as never));
    if (unknown) throw new PhasorError('unknown_name', `${unknown[0]} is not an option; there are ${names.join(', ')}`);
    return Object.fromEntries(given) as T;
  } catch (thrown) {
    if (thrown instanceof PhasorError) throw thrown;
    throw new PhasorError('invalid_argument', `options: they cannot be read (${PhasorError.from(thrown).message})`);
  }
}
