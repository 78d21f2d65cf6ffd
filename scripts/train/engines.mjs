// The trainer and the engine of the package, from their sources, without a built package; the WebAssembly is built unless it is current.
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../root.mjs';
import { builtWasm } from '../site/built-wasm.mjs';
import { workerSourcePlugin } from '../site/worker-source.mjs';
import { buildWasm } from '../wasm/wasm.mjs';

/** @import { EncodingSpec, ParamsInput, Phasor, PhasorOptions, TrainConfig, Trainer } from '../../web/engine/index.ts' */

/**
 * An encoding of a list of experiments: its id and parameters are known only when the script runs.
 * @typedef {{ readonly id: string } & ParamsInput} AnyEncoding
 */
/** @typedef {Omit<TrainConfig, 'encoding'> & { readonly encoding?: EncodingSpec | AnyEncoding | undefined }} AnyTrainConfig */
/** @typedef {(spec: AnyTrainConfig, options?: PhasorOptions) => Promise<Trainer>} CreateTrainer */
/** @typedef {{ createTrainer: CreateTrainer, phasor: Phasor }} Engines `phasor` is an engine on this thread */

/**
 * @template Module
 * @param {string} name of a file in web/engine
 * @returns {Promise<Module>}
 */
async function load(name) {
  const { module } = await runnerImport(join(root, 'web/engine', name), {
    configFile: false,
    plugins: [workerSourcePlugin(), builtWasm()],
  });
  return /** @type {Module} */ (module);
}

/** @returns {Promise<Engines>} */
export async function loadEngines() {
  await buildWasm();
  /** @type {typeof import('../../web/engine/train.node.ts')} */
  const { createTrainer } = await load('train.node.ts');
  /** @type {typeof import('../../web/engine/node.ts')} */
  const { createPhasor } = await load('node.ts');
  return { createTrainer: /** @type {CreateTrainer} */ (createTrainer), phasor: await createPhasor() };
}
