// `npm run test:aarch64`: compiles the C++ tests and the golden cases for 64-bit ARM and runs them in QEMU, which tests the NEON kernels on a
// processor with fused multiply-add. It is not part of `npm test`, because it takes a quarter of an hour.
import { join } from 'node:path';
import { root } from '../root.mjs';
import { configureAndBuild } from '../wasm/cmake.mjs';
import { runTests } from './cpp-tests.mjs';

const options = { CMAKE_TOOLCHAIN_FILE: join(root, 'cmake/aarch64.cmake'), PHASOR_TESTS: 'ON' };
const folder = await configureAndBuild('test-aarch64', { options, targets: ['phasor_tests', 'phasor_golden'] });
process.exitCode = runTests([{ name: 'aarch64', folder }]) === 0 ? 0 : 1;
