// 'virtual:embedded-wasm': both WebAssembly files as base64, for pages that are one file. Base64 costs a third more bytes, so
// only the offline build uses it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../build/wasm');

/**
 * @param {{ trains?: boolean }} [page] whether its figures train: then they are those with all that trains
 * @returns {import('vite').Plugin}
 */
export function embeddedWasm({ trains = false } = {}) {
  const id = '\0embedded-wasm';
  const base64 = (variant) => JSON.stringify(readFileSync(join(folder, `phasor-${trains ? 'nn-' : ''}${variant}.wasm`)).toString('base64'));
  return {
    name: 'phasor-embedded-wasm',
    resolveId: (source) => (source === 'virtual:embedded-wasm' ? id : undefined),
    load: (source) => (source === id ? `export default { simd: ${base64('simd')}, scalar: ${base64('scalar')} }` : undefined),
  };
}
