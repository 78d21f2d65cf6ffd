// Modules of the package find its WebAssembly beside themselves. Sources that run in Node without a build (tests, training scripts) find it in
// build/wasm instead: there, `import.meta.url` of web/engine/package-*files.ts is an address in that folder.
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
