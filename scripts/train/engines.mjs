// The trainer and the engine of the package, from their sources, so that no package has to be built; the WebAssembly is built unless it is current.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../root.mjs';
import { builtWasm } from '../site/built-wasm.mjs';
import { workerSourcePlugin } from '../site/worker-source.mjs';
import { buildWasm } from '../wasm/wasm.mjs';

async function entry(name) {
  const { module } = await runnerImport(join(root, 'web/engine', name), {
    configFile: false,
    plugins: [workerSourcePlugin(), builtWasm()],
  });
  return /** @type {any} */ (module);
}

/** @returns {Promise<{ createTrainer: any, phasor: any }>} `phasor` is an engine on this thread */
export async function loadEngines() {
  await buildWasm();
  const [{ createTrainer }, { createPhasor }] = [await entry('train.node.ts'), await entry('node.ts')];
  return { createTrainer, phasor: await createPhasor() };
}
