/**
 * Returns the URL of phasor.wasm next to this module, in the form that bundlers recognise. Returns an empty list if a bundler has removed
 * `import.meta.url`, as esbuild does for CommonJS.
 */
export function locatePackagedFile(): readonly URL[] {
  try {
    return [new URL('./phasor.wasm', import.meta.url)];
  } catch {
    return [];
  }
}

/**
 * Restores the original URL of a file in this package. Vite 5 to 7 move the module, but not the WebAssembly file, to
 * /node_modules/.vite/deps/, and their development server responds to the wrong URL with an HTML page.
 */
export function resolveOptimizedUrl(url: URL): URL {
  const originalHref = url.href.replace(/(\/node_modules\/)(.*\/)?deps\/(?=[^/]+$)/, '$1phasor/');
  // URLs from other bundlers are returned unchanged.
  return originalHref === url.href ? url : new URL(originalHref);
}
