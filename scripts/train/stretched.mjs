// Evaluates the RoPE model of E2b beyond its training length with scaled frequencies or remapped distances (E6), or without positions after some more
// training steps (E14). The native program trains the model and saves its weights, and WebAssembly trainers load them with the scaled encoding.
// remapped.mjs evaluates remapped distances, which trainers reject. The factor is the length of the text divided by the training length, so each
// length has a separate model.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../root.mjs';
import { runProgram } from './program.mjs';
import { remappedLoss, tensorsOf, testTokens } from './remapped.mjs';

/** @import { Phasor } from '../../web/engine/index.ts' */
/** @import { MethodId } from '../../web/figure/kinds/unseen/methods.ts' */
/** @import { TrainConfig } from '../../web/engine/types/train-config.ts' */
/** @import { Recalibration } from '../../web/figure/kinds/extrapolation/recalibrated.ts' */
/** @import { Params } from '../../web/engine/types/encodings.ts' */
/** @import { CreateTrainer } from './engines.mjs' */
/** @import { RunReport } from './experiments-page.mjs' */
/** @import { Run } from './program.mjs' */

/** @typedef {{ createTrainer: CreateTrainer, phasor?: Phasor }} Readers `phasor`: for remapped distances */
/**
 * How RoPE is changed for longer texts: one of METHODS, or parameters beside the factor, which `times` multiplies.
 * `recalibration`: RoPE is removed, and training continues.
 * @typedef {{ method?: MethodId, times?: number, scaling?: string, recalibration?: Recalibration, low_freq_factor?: number, high_freq_factor?: number }} Scaling
 */
/** @typedef {{ readonly id: string } & Params} Encoding */
/** @typedef {{ weights: Buffer, report: { lengths: { length: number }[], runs: Run[] } }} Trained */

const folder = join(root, 'build/stretched');
const words = ['text', '--encoding', 'rope'];

/** @param {string} program @param {number} seed @returns {Promise<Trained>} the model of a seed, cached while it is newer than the program */
async function train(program, seed) {
  mkdirSync(folder, { recursive: true });
  const weights = join(folder, `rope-${seed}.safetensors`);
  const out = join(folder, `rope-${seed}.json`);
  // The program writes the weights last, so their file means that training is complete.
  if (!existsSync(weights) || statSync(weights).mtimeMs < statSync(program).mtimeMs) {
    const code = await runProgram(program, [...words, '--seed', String(seed), '--out', out, '--weights', weights], {
      cwd: root,
      stdio: 'ignore',
    });
    if (code !== 0) throw new Error(`phasor_train ${words.join(' ')} --seed ${seed} ended with ${code}`);
  }
  return { weights: readFileSync(weights), report: JSON.parse(readFileSync(out, 'utf8')) };
}

/** Models by seed, shared by concurrent runs. @type {Map<number, Promise<Trained>>} */
const trained = new Map();
/** @param {string} program @param {number} seed */
function trainedRope(program, seed) {
  const model = trained.get(seed) ?? train(program, seed);
  trained.set(seed, model);
  return model;
}

/** The number of passages in an evaluation. */
export const PASSAGES = 128;
/** The tolerance between remapped.mjs and a trainer, which sum in different orders. */
const TOLERANCE = 1e-5;

/** @type {{ module: typeof import('../../web/figure/kinds/unseen/methods.ts') }} */
const { module } = await runnerImport(join(root, 'web/figure/kinds/unseen/methods.ts'));
/** The methods of the figure `unseen`, with the sizes of their papers. */
export const { METHODS, createMethodEncoding } = module;
/** @type {{ module: typeof import('../../web/figure/kinds/extrapolation/recalibrated.ts') }} */
const { module: recalibrated } = await runnerImport(join(root, 'web/figure/kinds/extrapolation/recalibrated.ts'));

/**
 * The encoding for a text of this length.
 * @param {Scaling} scaling
 * @param {number} length
 * @param {number} trained
 * @returns {Encoding}
 */
function encodingAt({ method, times = 1, recalibration, ...scaling }, length, trained) {
  if (recalibration) return { id: 'none' };
  if (length <= trained) return { id: 'rope' };
  if (method !== undefined) return createMethodEncoding(method, { trained, factor: length / trained });
  if (scaling.scaling === undefined) return { id: 'rope' };
  return { id: 'rope', ...scaling, factor: (times * length) / trained, original_length: trained };
}

/**
 * The losses of these weights at these lengths, and the other fields of a report.
 * @param {Readers} readers
 * @param {Trained} model
 * @param {number} seed
 * @param {Scaling} scaling
 * @param {readonly number[]} lengths
 */
async function readStretched({ createTrainer, phasor }, { weights: trainedWeights, report }, seed, scaling, lengths) {
  const corpus = readFileSync(join(root, 'public/data/pride-and-prejudice.txt'), 'utf8');
  const trained = report.lengths[0]?.length ?? Number.NaN;
  const { recalibration } = scaling;
  /** @param {TrainConfig} config */
  const create = (config) => createTrainer(config);
  const weights = recalibration
    ? await recalibrated.recalibrateModel(create, { task: 'text', corpus, seed }, Uint8Array.from(trainedWeights), recalibration)
    : trainedWeights;
  /** @param {Encoding} encoding @param {number} length */
  const byTrainer = async (encoding, length) => {
    const trainer = await createTrainer({ task: 'text', corpus, seed, encoding });
    await trainer.loadWeights(weights);
    const found = await trainer.evaluate({ lengths: [length], numSamples: PASSAGES, extraMetrics: false });
    const { config: spec } = trainer;
    trainer.dispose();
    const [score] = found.lengths;
    if (!score) throw new Error('the trainer evaluated no length');
    return { spec, chance: found.chance, score };
  };
  const first = await byTrainer({ id: 'rope' }, 2 * trained);
  const model = { spec: first.spec, weights: tensorsOf(trainedWeights), test: testTokens(corpus) };
  /** @type {{ length: number, loss: number }[]} */
  const read = [];
  for (const length of lengths) {
    const encoding = encodingAt(scaling, length, trained);
    if (encoding.remap === undefined) {
      read.push((await byTrainer(encoding, length)).score);
      continue;
    }
    if (!phasor) throw new Error('remapped distances are evaluated by an engine; expected `phasor`');
    read.push({ length, loss: remappedLoss(phasor, model, encoding, length, PASSAGES) });
    if (length !== lengths.at(-1)) continue;
    const difference = remappedLoss(phasor, model, { id: 'rope' }, 2 * trained, PASSAGES) - first.score.loss;
    if (!(Math.abs(difference) < TOLERANCE))
      throw new Error(`remapped.mjs computes a loss that differs by ${difference} from that of the trainer`);
  }
  return { chance: first.chance, lengths: read };
}

/**
 * The report of the program, evaluated with this scaling: of each seed from 1 on.
 * @param {string} program
 * @param {Readers} readers
 * @param {Scaling} scaling
 * @param {readonly number[]} lengths
 * @param {number} seeds
 * @returns {Promise<Omit<RunReport, 'runs'> & { runs: { seed: number, seconds: number, lengths: { length: number, loss: number }[] }[] }>}
 */
export async function reportStretched(program, readers, scaling, lengths, seeds) {
  /** @type {{ seed: number, seconds: number, lengths: { length: number, loss: number }[] }[]} */
  const runs = [];
  let chance = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const model = await trainedRope(program, seed);
    const read = await readStretched(readers, model, seed, scaling, lengths);
    ({ chance } = read);
    runs.push({ seed, seconds: model.report.runs[0]?.seconds ?? Number.NaN, lengths: read.lengths });
  }
  const spreads = lengths.map((length, at) => {
    const losses = runs.map((run) => run.lengths[at]?.loss ?? Number.NaN);
    const mean = losses.reduce((a, b) => a + b, 0) / losses.length;
    const squares = losses.reduce((sum, x) => sum + (x - mean) ** 2, 0);
    return { length, mean, deviation: losses.length > 1 ? Math.sqrt(squares / (losses.length - 1)) : 0 };
  });
  return { score: 'nats', chance, lengths: spreads, metrics: {}, runs };
}
