import { argumentError, PhasorError } from '../errors.ts';
import { invalidValueError } from './invalid-value.ts';
import { isPlain } from './plain.ts';

/**
 * Reads each option once, and rejects options that are not in `names`. Without `names`, the caller must check for unknown options itself.
 */
export function readOptions<T extends object>(options: T, names?: readonly (keyof T & string)[]): T {
  try {
    if (typeof options !== 'object' || options === null || !isPlain(options)) {
      throw invalidValueError('options', options, 'is not an object');
    }
    const providedEntries = Object.keys(options).map((name) => [name, options[name as keyof T]] as const);
    const unknownEntry = names && providedEntries.find(([name, value]) => value !== undefined && !names.includes(name as never));
    if (names && unknownEntry) {
      const details = { argument: unknownEntry[0], allowed: names };
      throw new PhasorError('unknown_name', `${details.argument} is not an option; expected one of ${names.join(', ')}`, details);
    }
    return Object.fromEntries(providedEntries) as T;
  } catch (thrown) {
    if (thrown instanceof PhasorError) throw thrown;
    throw argumentError('options', `cannot be read (${PhasorError.from(thrown).message})`);
  }
}
