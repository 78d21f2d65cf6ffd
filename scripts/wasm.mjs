// Builds both WebAssembly files into build/wasm: phasor-simd.wasm, phasor-scalar.wasm and the glue they share.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configureAndBuild, root } from './cmake.mjs';

/**
 * The glue without the address of its WebAssembly: our loader always hands over the instance, and a bundler that saw the
 * address would ship the file a second time.
 */
const neutral = (glue) =>
  glue
    .replaceAll(/new URL\("phasor-(simd|scalar)\.wasm", ?import\.meta\.url\)\.(toString\(\)|href)/g, '"phasor.wasm"')
    .replaceAll(/phasor-(simd|scalar)/g, 'phasor')
    .replaceAll('import.meta.url', '""');

export function buildWasm({ tests = false } = {}) {
  const out = join(root, 'build/wasm');
  mkdirSync(out, { recursive: true });
  const glues = ['simd', 'scalar'].map((variant) => {
    const folder = configureAndBuild(`wasm-${variant}`, {
      wasm: true,
      options: { PHASOR_WASM_SIMD: variant === 'simd' ? 'ON' : 'OFF', PHASOR_TESTS: tests ? 'ON' : 'OFF' },
    });
    copyFileSync(join(folder, `cpp/wasm/phasor-${variant}.wasm`), join(out, `phasor-${variant}.wasm`));
    return join(folder, `cpp/wasm/phasor-${variant}.mjs`);
  });
  // One glue serves both files only while they import and export the same names, so a difference stops the build.
  const [simd, scalar] = glues.map((path) => neutral(readFileSync(path, 'utf8')));
  if (simd !== scalar) throw new Error('The glue of the SIMD and the scalar WebAssembly differ; they can no longer share one.');
  writeFileSync(join(out, 'glue.mjs'), simd);
}

if (process.argv[1] === import.meta.filename) buildWasm({ tests: process.argv.includes('--tests') });
