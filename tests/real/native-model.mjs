// A model of phasor/model.h in a separate process (run_model.cpp), with those methods of Model in phasor/model that the comparisons call.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { configureAndBuild } from '../../scripts/wasm/cmake.mjs';

/** @import { Model, RunOptions } from '../../web/engine/model.node.ts' */
/** @typedef {Pick<Model, 'run' | 'generate' | 'dispose'>} ComparedModel */

/** Compares a model with recorded results, and reports the largest differences. @typedef {(model: ComparedModel, report: (rows: import('./differences.mjs').Difference[]) => void) => Promise<void>} Compare */

/** Reads the values of a row of a tensor in a GGUF file. @typedef {(tensor: string, row: number) => Promise<number[]>} ReadRow */

/** @param {string} path a folder, or a GGUF file @returns {Promise<ComparedModel & { row: ReadRow }>} */
export async function openNative(path) {
  const folder = await configureAndBuild('real', { options: { PHASOR_REAL: 'ON' }, targets: ['phasor_run_model'] });
  const program = spawn(join(folder, 'tests/real/phasor_run_model'), [path], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  /** @param {object} request @returns {Promise<any>} */
  const answer = async (request) => {
    program.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`the native program ended at ${JSON.stringify(request).slice(0, 200)}`);
    return JSON.parse(value);
  };
  const native = {
    /** @param {ArrayLike<number>} ids @param {RunOptions} options */
    async run(ids, { outputs = ['logits'], topK = 0, changes = [] } = {}) {
      const words = Array.from(outputs).join(' ');
      const {
        predictedIds = [],
        predictedLogProbabilities = [],
        ...output
      } = await answer({
        ids: Array.from(ids),
        outputs: words,
        topK,
        changes: Object.fromEntries(changes.entries()),
      });
      const predictions = Array.from({ length: topK > 0 ? ids.length : 0 }, (_, row) =>
        Array.from({ length: topK }, (_unused, n) => ({
          id: predictedIds[row * topK + n],
          logProbability: predictedLogProbabilities[row * topK + n],
        })),
      );
      return { ...output, predictions };
    },
    /** @param {ArrayLike<number>} ids @param {{ maxNewTokens: number }} options */
    async *generate(ids, { maxNewTokens }) {
      const { ids: tokens } = await answer({ ids: Array.from(ids), count: maxNewTokens });
      for (const id of tokens) yield { id };
    },
    /** @type {ReadRow} */
    row: async (tensor, row) => (await answer({ tensor, row })).values,
    dispose: () => program.stdin.end(),
  };
  return /** @type {any} */ (native);
}
