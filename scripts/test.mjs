// `npm test`: everything, in the order in which a failure says most. Each runner prints its own closing line.
import { spawnSync } from 'node:child_process';
import { buildAll } from './build.mjs';
import { root } from './cmake.mjs';
import { runCppTests } from './cpp-tests.mjs';
import { lint } from './format.mjs';

function runner(title, command, args) {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`${title}: failed`);
    process.exit(1);
  }
}

console.log('== Formats, lint, types');
lint();
console.log('\n== C++ tests: native with sanitizers, WebAssembly SIMD and scalar under Node');
runCppTests();
runner('Golden cases', 'node', ['scripts/golden.mjs', 'tests/golden']);
console.log('\n== Package, site and offline page');
await buildAll();
runner('TypeScript', 'npx', ['vitest', 'run']);
runner('Browsers', 'npx', ['playwright', 'test']);
runner('Sizes', 'node', ['scripts/size.mjs']);
