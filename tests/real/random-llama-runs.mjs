// Opens and runs a random model of the size of a small published one, and generates tokens.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeRandomLlama } from './random-llama.mjs';

/** @typedef {import('../../web/engine/model.node.ts')} Package */

/** The value of a promise, and the seconds until it resolves. @template T @param {() => Promise<T>} call @returns {Promise<[T, string]>} */
async function measureTime(call) {
  const start = performance.now();
  const value = await call();
  return [value, `${((performance.now() - start) / 1000).toFixed(2)} s`];
}

/**
 * @param {(Package['openModel'] | Package['openModelWorker'])[]} ways
 * @param {(isRight: boolean, sentence: string) => void} report
 */
export async function compareRandomLlama(ways, report) {
  const folder = mkdtempSync(join(tmpdir(), 'phasor-random-'));
  try {
    writeRandomLlama(folder);
    const { size } = statSync(join(folder, 'model.safetensors'));
    for (const open of ways) {
      const [model, opening] = await measureTime(() => open(folder, {}));
      const ids = Array.from({ length: 64 }, (_, index) => (index * 7919) % model.info.vocabSize);
      const [, prompt] = await measureTime(() => model.run(ids, { outputs: [], topK: 1, logitsToKeep: 1 }));
      const [tokens, generation] = await measureTime(async () => {
        const all = [];
        for await (const { id } of model.generate(ids, { maxNewTokens: 16 })) all.push(id);
        return all;
      });
      // Each generated token must be the most probable one in a run of the whole text.
      const { predictions = [] } = await model.run([...ids, ...tokens], { outputs: [], topK: 1 });
      const isSame = tokens.length === 16 && tokens.every((id, index) => predictions[63 + index]?.[0]?.id === id);
      report(
        isSame,
        `random llama of ${(model.info.parameters / 1e6).toFixed(0)}M, ${model.thread}, ${model.variant}: opened ${(size / 1e6).toFixed(0)} MB in ${opening}, 64 tokens in ${prompt}, 16 generated in ${generation}; ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB resident`,
      );
      model.dispose();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
