// `npm run test:wasm`: the whole C++ suite as WebAssembly with SIMD, under Node. `npm test` runs the part of it that can differ from the same tests
// natively, the kernels and the memory; this is for changes to what Emscripten is told, or to another version of it.
import { buildWholeWasmTests, runTests } from './cpp-tests.mjs';

process.exitCode = runTests([await buildWholeWasmTests()]) === 0 ? 0 : 1;
