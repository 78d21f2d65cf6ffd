// `npm start`: builds the core and serves the page with live reload.
import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from '../root.mjs';
import { buildWasm, isWasmCurrent } from '../wasm/wasm.mjs';

if (!process.env.PHASOR_WASM && !isWasmCurrent())
  console.log('start: building the WebAssembly core, which takes a minute or two the first time');
try {
  await buildWasm();
} catch (thrown) {
  console.error(`start: ${thrown instanceof Error ? thrown.message : thrown}`);
  process.exit(1);
}
const server = await createServer({ configFile: join(root, 'vite.config.ts') });
await server.listen();
console.log('start: the page is served at');
server.printUrls();
