// Runs once before the tests: builds the WebAssembly unless it is current.
import { buildWasm, isWasmCurrent } from '../../scripts/wasm/wasm.mjs';

export async function setup() {
  if (!process.env.PHASOR_WASM && !isWasmCurrent()) console.log('vitest: building the WebAssembly, which takes a minute or two');
  try {
    await buildWasm();
  } catch (error) {
    // Vitest would print an error thrown here below "No test files found".
    console.error(`vitest: ${error.message}`);
    process.exit(1);
  }
}
