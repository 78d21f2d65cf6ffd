// Builds both WebAssembly files into build/wasm: phasor-simd.wasm, phasor-scalar.wasm and the glue they share.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configureAndBuild, root } from './cmake.mjs';
import { addFusedKernels } from './fused-kernels.mjs';
import { orderFunctions } from './order-functions.mjs';

/**
 * The glue without the address of its WebAssembly, and without what would fetch it: our loader always hands over the instance, and a bundler
 * that saw the address would ship the file a second time.
 */
const neutral = (glue) =>
  glue
    .replaceAll(/new URL\("phasor-(simd|scalar)\.wasm", ?import\.meta\.url\)\.(toString\(\)|href)/g, '"phasor.wasm"')
    .replaceAll(/phasor-(simd|scalar)/g, 'phasor')
    .replaceAll('import.meta.url', '""')
    // Nothing is read by name then: minifiers leave out what would.
    .replace(/ENVIRONMENT_IS_WEB=typeof window=="object"/, 'ENVIRONMENT_IS_WEB=false')
    .replace(/ENVIRONMENT_IS_WORKER=typeof importScripts=="function"/, 'ENVIRONMENT_IS_WORKER=false')
    .replace('instantiateAsync().catch(readyPromiseReject);return{}', '');

export async function buildWasm() {
  const out = join(root, 'build/wasm');
  mkdirSync(out, { recursive: true });
  const build = async (variant) => {
    const options = { PHASOR_WASM_SIMD: variant === 'simd' ? 'ON' : 'OFF', PHASOR_TESTS: 'OFF' };
    const folder = await configureAndBuild(`wasm-${variant}`, { wasm: true, options });
    const file = join(out, `phasor-${variant}.wasm`);
    copyFileSync(join(folder, `cpp/wasm/phasor-${variant}.wasm`), file);
    orderFunctions(file);
    if (variant === 'simd') addFusedKernels(file);
    return neutral(readFileSync(join(folder, `cpp/wasm/phasor-${variant}.mjs`), 'utf8'));
  };
  // One glue serves both files only while they import and export the same names, so a difference stops the build.
  const [simd, scalar] = await Promise.all([build('simd'), build('scalar')]);
  if (simd !== scalar) throw new Error('The glue of the SIMD and the scalar WebAssembly differ; they can no longer share one.');
  writeFileSync(join(out, 'glue.mjs'), simd);
}

if (process.argv[1] === import.meta.filename) await buildWasm();
