// Modules of the package load WebAssembly from their own folder. For sources that run in Node without a build (tests, training scripts), this plugin
// replaces `import.meta.url` in web/engine/package-*files.ts with the address of build/wasm.
import { pathToFileURL } from 'node:url';
import { wasmFolder } from '../wasm/wasm.mjs';

const folder = JSON.stringify(`${pathToFileURL(wasmFolder)}/`);

/** @returns {import('vite').Plugin} */
export const builtWasm = () => ({
  name: 'phasor-built-wasm',
  enforce: 'pre',
  transform: (code, id) =>
    /\/web\/engine\/package-(nn-|model-)?files\.ts$/.test(id) ? code.replaceAll('import.meta.url', folder) : undefined,
});
