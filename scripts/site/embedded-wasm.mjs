// Provides 'virtual:embedded-wasm': a WebAssembly file as base64, for pages and scripts in a single file. Other pages fetch the file, because base64
// is a third larger.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

/**
 * @param {{ trains?: boolean }} [page] whether its figures train, which requires phasor-nn.wasm
 * @returns {import('vite').Plugin}
 */
export function embeddedWasm({ trains = false } = {}) {
  const id = '\0embedded-wasm';
  const program = trains ? 'phasor-nn' : 'phasor';
  const code = () => {
    const base64 = readFileSync(join(root, `build/wasm/${program}.wasm`)).toString('base64');
    return `export const program = '${program}';\nexport const base64 = '${base64}';\n`;
  };
  return {
    name: 'phasor-embedded-wasm',
    resolveId: (source) => (source === 'virtual:embedded-wasm' ? id : undefined),
    load: (source) => (source === id ? code() : undefined),
  };
}
