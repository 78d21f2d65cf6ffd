// Locates the WebAssembly file of this package, relative to its modules.

/**
 * The URL of the file next to this module, in the form that bundlers recognise. Empty if a bundler has removed `import.meta.url`, as
 * esbuild does for CommonJS.
 */
export function locatePackagedFile(): readonly URL[] {
  try {
    return [new URL('./phasor.wasm', import.meta.url)];
  } catch {
    return [];
  }
}

/**
 * Restores the URL of a file next to a module. Vite 5 to 7 moves the module to /node_modules/.vite/deps/, but not the file, and its
 * development server responds to the wrong URL with an HTML page.
 */
export function resolveOptimizedUrl(url: URL): URL {
  const originalHref = url.href.replace(/(\/node_modules\/)(.*\/)?deps\/(?=[^/]+$)/, '$1phasor/');
  // URLs of other bundlers are unchanged.
  return originalHref === url.href ? url : new URL(originalHref);
}
