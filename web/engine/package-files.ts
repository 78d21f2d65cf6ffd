// Locates the WebAssembly file of this package, relative to its modules.

/**
 * The file is next to this module; bundlers recognise this form of URL and include the file. An empty list if a bundler has removed the URL
 * of the module, as esbuild does for CommonJS.
 */
export function packagedFile(): readonly URL[] {
  try {
    return [new URL('./phasor.wasm', import.meta.url)];
  } catch {
    return [];
  }
}

/**
 * The original URL of a file whose module the optimizer of Vite 5 to 7 has moved to /node_modules/.vite/deps/, without the file. A
 * development server responds with a page there.
 */
export function beforeOptimizer(url: URL): URL {
  const address = url.href.replace(/(\/node_modules\/)(.*\/)?deps\/(?=[^/]+$)/, '$1phasor/');
  // Other URLs are unchanged: webpack creates URLs relative to the page, which cannot be reconstructed.
  return address === url.href ? url : new URL(address);
}
