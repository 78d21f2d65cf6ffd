// The URL from which other pages can load phasor/figure.

/**
 * The URL of this script, from which other pages can load <phasor-figure>; undefined in a bundle. A bundler merges the script into a larger
 * one and renames the files beside it.
 * @param script the URL of this module
 * @param resolved the URL of the file `name` in the same folder, as the script resolved it
 */
export function scriptUrl(script: string | undefined, resolved: URL, name: string): string | undefined {
  if (!script || !/^https?:/.test(script)) return undefined;
  const isUnbundled = new URL(script).pathname.endsWith('/figure.js') && new URL(name, script).href === resolved.href;
  return isUnbundled ? script : undefined;
}
