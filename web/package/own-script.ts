// Where pages of others can have the script of phasor/figure from.

/**
 * The address of this script, if other pages can have <phasor-figure> from it: where a server sends the files of the package as they are. A bundler makes
 * the script a part of another one, which does more, and gives new addresses to the files beside it: then there is none.
 * @param script the address of this module
 * @param beside what the script takes for the address of a file beside it, whose name this is
 */
export function ownScript(script: string | undefined, beside: URL, name: string): string | undefined {
  if (!script || !/^https?:/.test(script)) return undefined;
  const isPlain = new URL(script).pathname.endsWith('/figure.js') && new URL(name, script).href === beside.href;
  return isPlain ? script : undefined;
}
