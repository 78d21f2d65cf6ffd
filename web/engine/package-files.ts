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
 * The original URL of a file next to a module. The optimizer of Vite 5 to 7 moves the module to /node_modules/.vite/deps/, but not the file.
 * For the wrong URL, the development server responds with an HTML page.
 */
export function beforeOptimizer(url: URL): URL {
  const original = url.href.replace(/(\/node_modules\/)(.*\/)?deps\/(?=[^/]+$)/, '$1phasor/');
  // URLs of other bundlers are unchanged.
  return original === url.href ? url : new URL(original);
}
