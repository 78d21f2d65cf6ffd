import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WASM } from '../program.mjs';

const userCode = `import { createPhasor, PhasorError, type PhasorOptions, type Tensor } from 'phasor';
import { similarity } from 'phasor/analysis';
import { createPhasorWorker, createPhasorPool, type RemotePhasor } from 'phasor/worker';
import { createPhasor as createInline } from 'phasor/inline';
import { createTrainer, type Bytes, type Trainer } from 'phasor/train';
import { inspectModel, openModel, type Model, type ModelInfo, type ReadableFile, type Tokenizer } from 'phasor/model';
import { renderFigure } from 'phasor/render';
import wasm from 'phasor/${WASM}';

const options: PhasorOptions = { variant: 'auto', wasm, timeout: 1000 };
export async function run(): Promise<number> {
  const phasor = await createPhasor(options);
  const table: Tensor = phasor.positionTable({ encoding: { id: 'sinusoidal', base: 100 }, length: 2, dim: 4 });
  // @ts-expect-error: a width is needed
  phasor.positionTable({ encoding: 'sinusoidal', length: 2 });
  // @ts-expect-error: there is no such variant
  await createPhasor({ variant: 'fast' });
  const { weights } = phasor.attention({ q: table, k: table, v: table, outputs: ['weights'] as const });
  const kept = phasor.createTensor(table);
  kept.dispose();
  const remote: RemotePhasor = await createPhasorWorker({ wasm: new Uint8Array(1), fallback: 'same-thread', worker: 'worker.js' });
  const where: 'worker' | 'same-thread' = remote.thread;
  const cosines: Tensor = similarity(phasor, { table });
  const promised: Promise<Tensor> = similarity(remote, { table }, {});
  // @ts-expect-error: an engine on this thread takes no options of a call
  similarity(phasor, { table }, {});
  const pool = await createPhasorPool({ workers: 2 });
  remote.dispose();
  const inline = await createInline();
  const svg: string = await renderFigure({ kind: 'similarity', length: 8 });
  const trainer: Trainer = await createTrainer({ task: 'order', encoding: 'rope' });
  const saved: Uint8Array = await trainer.saveCheckpoint();
  const { config, weights: trained }: { config: string; weights: Bytes } = await trainer.toPyTorch();
  const file: ReadableFile = { name: 'model.safetensors', size: 8, read: async (begin, end) => new Uint8Array(end - begin) };
  const info: ModelInfo = await inspectModel([file], { config: {} });
  const tokenizer: Tokenizer = { encode: (text) => [text.length], decode: (ids) => ids.join() };
  const model: Model = await openModel([file], { tokenizer, onProgress: ({ loaded }) => void loaded });
  const { logits } = await model.run('text', { outputs: ['logits'] as const });
  const { logits: some } = await model.run([info.layers]);
  // @ts-expect-error: some models have no logits
  some.shape;
  for await (const { id, text } of model.generate([logits.data.length])) if (text === undefined) break; else id.toFixed();
  const error = new PhasorError('blocked_by_csp', svg + where + pool.workers + inline.version + config + saved.length + trained.length);
  return weights.data.length + cosines.data.length + (await promised).data.length + error.code.length;
}
`;
const withDom = `import 'phasor/figure';
const figure = document.createElement('phasor-figure');
figure.spec = { kind: 'similarity', length: 8 };
export const svg: Promise<string> = figure.ready.then(() => figure.toSVG());
import { createPhasorWorker } from 'phasor/worker';
const { signal } = new AbortController();
export const remote = createPhasorWorker({ wasm: new URL('https://example.org/phasor.wasm'), worker: () => new Worker('worker.js') });
export const table = remote.then((phasor) => phasor.positionTable({ encoding: 'sinusoidal', length: 2, dim: 4 }, { signal }));
// @ts-expect-error: a signal is needed
export const wrong = remote.then((phasor) => phasor.positionTable({ encoding: 'sinusoidal', length: 2, dim: 4 }, { signal: 5 }));
`;
const disposalCode = `import { createPhasorWorker } from 'phasor/worker';
export async function run() {
  using phasor = await createPhasorWorker();
  using kept = await phasor.createTensor({ shape: [1], data: [1] });
  return kept.shape;
}
`;

/** A tsconfig.json that ignores type packages above the folder of the consumer. @param {string} module @param {string} resolution @param {string[]} lib @param {string[]} files */
const config = (module, resolution, lib, files) =>
  JSON.stringify({
    compilerOptions: {
      ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, target: 'es2022', module, moduleResolution: resolution, lib },
      ...{ typeRoots: ['./node_modules/@types'], types: [] },
    },
    files,
  });

/** @typedef {[module: string, resolution: string, ends: string[]]} Resolution `ends`: file extensions */

/** The module kind esnext excludes .cts files, which are CommonJS. @type {Resolution[]} */
const resolutions = [
  ['nodenext', 'nodenext', ['mts', 'cts', 'ts']],
  ['node16', 'node16', ['mts', 'cts', 'ts']],
  ['esnext', 'bundler', ['mts', 'ts']],
];
const typedUser = readFileSync(join(import.meta.dirname, '../../web/typed-user.ts'), 'utf8')
  .replace('../../web/engine/index.ts', 'phasor')
  .replace('../../web/engine/analysis.ts', 'phasor/analysis');
/** @param {string} name @param {string} text */
const inEachFormat = (name, text) => Object.fromEntries(['mts', 'cts', 'ts'].map((end) => [`${name}.${end}`, text]));

/**
 * @param {Resolution} resolution
 * @param {number} version
 * @returns {Record<string, string>}
 */
function configurations([module, resolution, ends], version) {
  /** @param {...string} names */
  const files = (...names) => names.flatMap((name) => ends.map((end) => `${name}.${end}`));
  return {
    plain: config(module, resolution, ['es2022'], files('user')),
    dom: config(module, resolution, ['es2022', 'dom'], files('user', 'page')),
    ...(version < 5.2 ? {} : { using: config(module, resolution, ['es2022', 'esnext.disposable'], files('using')) }),
    // Before TypeScript 5.3, the fields of a result are inferred only from a list "as const".
    ...(version < 5.3 ? {} : { results: config(module, resolution, ['es2022', 'dom', 'esnext.disposable'], ['typed-user.ts']) }),
  };
}

export default ['5.0', '5.1', '5.2', '5.4', '5.8', '5.9', '6.0'].map((version) => ({
  name: `typescript ${version}`,
  packages: [`typescript@~${version}.0`],
  files: {
    ...inEachFormat('user', userCode),
    ...inEachFormat('page', withDom),
    ...inEachFormat('using', disposalCode),
    'typed-user.ts': typedUser,
  },
  steps: resolutions.flatMap((resolution) =>
    Object.entries(configurations(resolution, Number(version))).map(([name, text]) => ({
      title: `${resolution[1]}, ${name}`,
      kind: 'check',
      // The oldest version, with every kind of file.
      fast: version === '5.0' && resolution[1] === 'nodenext' && name === 'dom',
      files: { 'tsconfig.json': text },
      commands: [['tsc', '-p', '.']],
    })),
  ),
}));
