// `npm start`: builds the core and serves the page, live while its sources change.
import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from './cmake.mjs';
import { buildWasm } from './wasm.mjs';

console.log('start: building the WebAssembly core');
await buildWasm();
const server = await createServer({ configFile: join(root, 'vite.config.ts') });
await server.listen();
console.log('start: the page is served at');
server.printUrls();
