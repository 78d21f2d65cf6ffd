/**
 * Returns the URL of this script, from which other pages can load <phasor-figure>, or undefined in a bundle, because bundlers merge the
 * script into a larger one and rename the files next to it.
 * @param script the URL of this module
 * @param resolvedUrl the URL to which the script resolved `fileName`, a file in the same folder
 */
export function findScriptUrl(script: string | undefined, resolvedUrl: URL, fileName: string): string | undefined {
  if (!script || !/^https?:/.test(script)) return undefined;
  const isUnbundled = new URL(script).pathname.endsWith('/figure.js') && new URL(fileName, script).href === resolvedUrl.href;
  return isUnbundled ? script : undefined;
}
