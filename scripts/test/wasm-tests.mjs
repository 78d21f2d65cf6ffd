// `npm run test:wasm`: the whole C++ suite as WebAssembly with SIMD, under Node. `npm test` runs only the kernels and memory functions, whose code
// differs from the native builds; run this after changing the version or options of Emscripten.
import { buildWholeWasmTests, runTests } from './cpp-tests.mjs';

process.exitCode = runTests([await buildWholeWasmTests()]) === 0 ? 0 : 1;
