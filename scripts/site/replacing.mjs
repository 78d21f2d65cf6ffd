// Modules of the project in whose place others stand, in some of what is built from it.
import { dirname, join, resolve } from 'node:path';
import { root } from '../root.mjs';

/**
 * @param {{ readonly [path: string]: string }} modules what stands in the place of a module; paths from the root, without their ending
 * @returns {(source: string, importer?: string) => string | undefined} the path of what stands in the place of what is imported
 */
export function replacing(modules) {
  const path = (name) => join(root, `${name}.ts`);
  const places = new Map(Object.entries(modules).map(([name, instead]) => [path(name), path(instead)]));
  return (source, importer) => (importer && source.startsWith('.') ? places.get(resolve(dirname(importer), source)) : undefined);
}
