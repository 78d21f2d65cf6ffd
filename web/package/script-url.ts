/**
 * Returns the URL of this script, from which other pages can load <phasor-figure>; undefined in a bundle, because a bundler merges the
 * script into a larger one and renames the files beside it.
 * @param script the URL of this module
 * @param resolvedUrl the URL of the file `fileName` in the same folder, as the script resolved it
 */
export function findScriptUrl(script: string | undefined, resolvedUrl: URL, fileName: string): string | undefined {
  if (!script || !/^https?:/.test(script)) return undefined;
  const isUnbundled = new URL(script).pathname.endsWith('/figure.js') && new URL(fileName, script).href === resolvedUrl.href;
  return isUnbundled ? script : undefined;
}
