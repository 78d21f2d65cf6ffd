// The model of RoPE of E2b, read beyond its trained length with slower pairs or at other distances, without further training (E6). The program trains
// it natively and saves its weights; trainers of the WebAssembly have the scaled encoding, take the weights and
// read. Other distances, which trainers refuse, are read by remapped.mjs. The factor is how many times longer than in training a text is, so each length
// is read by a model of its own.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { root } from '../root.mjs';
import { runProgram } from './program.mjs';
import { remappedLoss, tensorsOf, testTokens } from './remapped.mjs';

const folder = join(root, 'build/stretched');
const words = ['text', '--encoding', 'rope'];

/** @returns {Promise<{ weights: Buffer, report: any }>} of a seed, trained unless that was done with this program */
async function train(program, seed) {
  mkdirSync(folder, { recursive: true });
  const [weights, out] = ['safetensors', 'json'].map((ending) => join(folder, `rope-${seed}.${ending}`));
  // The weights are written last.
  if (!existsSync(weights) || statSync(weights).mtimeMs < statSync(program).mtimeMs) {
    const code = await runProgram(program, [...words, '--seed', String(seed), '--out', out, '--weights', weights], {
      cwd: root,
      stdio: 'ignore',
    });
    if (code !== 0) throw new Error(`phasor_train ${words.join(' ')} --seed ${seed} ended with ${code}`);
  }
  return { weights: readFileSync(weights), report: JSON.parse(readFileSync(out, 'utf8')) };
}

/** By seed; several runs at a time read the same. */
const trained = new Map();
function trainedRope(program, seed) {
  if (!trained.has(seed)) trained.set(seed, train(program, seed));
  return trained.get(seed);
}

/** Passages of an evaluation. */
export const PASSAGES = 128;
/** Between both readers: sums in another order. */
const TOLERANCE = 1e-5;

const { module } = await runnerImport(join(root, 'web/figure/kinds/unseen/methods.ts'));
/** The methods of the figure `unseen`, whose sizes are those of their papers. */
export const { METHODS, encodingOf } = /** @type {any} */ (module);

/**
 * RoPE as it is for a text of so many tokens.
 * @param {Record<string, unknown>} scaling its parameters beside the factor, which `times` multiplies; or `method`, one of METHODS
 */
function encodingAt({ method, times = 1, ...scaling }, length, trained) {
  if (length <= trained) return { id: 'rope' };
  if (method !== undefined) return encodingOf(method, { trained, factor: length / trained });
  if (scaling.scaling === undefined) return { id: 'rope' };
  return { id: 'rope', ...scaling, factor: (Number(times) * length) / trained, original_length: trained };
}

/** The losses of these weights at these lengths, and what else a report says. */
async function readStretched({ createTrainer, phasor }, { weights, report }, seed, scaling, lengths) {
  const corpus = readFileSync(join(root, 'public/data/pride-and-prejudice.txt'), 'utf8');
  const trained = report.lengths[0].length;
  const byTrainer = async (encoding, length) => {
    const trainer = await createTrainer({ task: 'text', corpus, seed, encoding });
    await trainer.loadWeights(weights);
    const found = await trainer.evaluate({ lengths: [length], items: PASSAGES, observe: false });
    const { spec } = trainer;
    trainer.dispose();
    return { spec, chance: found.chance, length: found.lengths[0] };
  };
  const first = await byTrainer({ id: 'rope' }, 2 * trained);
  const model = { spec: first.spec, weights: tensorsOf(weights), test: testTokens(corpus) };
  const read = [];
  for (const length of lengths) {
    const encoding = encodingAt(scaling, length, trained);
    if (encoding.remap === undefined) read.push((await byTrainer(encoding, length)).length);
    else read.push({ length, loss: remappedLoss(phasor, model, encoding, length, PASSAGES) });
    if (encoding.remap === undefined || length !== lengths.at(-1)) continue;
    const difference = remappedLoss(phasor, model, { id: 'rope' }, 2 * trained, PASSAGES) - first.length.loss;
    if (!(Math.abs(difference) < TOLERANCE))
      throw new Error(`remapped.mjs reads a loss that differs by ${difference} from that of the trainer`);
  }
  return { chance: first.chance, lengths: read };
}

/**
 * What the program would report, had it read with this scaling: of each seed from 1 on. `engines`: createTrainer, and where distances are others, phasor.
 * @returns {Promise<{ score: string, chance: number, lengths: any[], observed: {}, runs: any[] }>}
 */
export async function reportStretched(program, engines, scaling, lengths, seeds) {
  const runs = [];
  let chance = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const model = await trainedRope(program, seed);
    const read = await readStretched(engines, model, seed, scaling, lengths);
    ({ chance } = read);
    runs.push({ seed, seconds: model.report.runs[0].seconds, lengths: read.lengths });
  }
  const spreads = lengths.map((length, at) => {
    const losses = runs.map((run) => run.lengths[at].loss);
    const mean = losses.reduce((a, b) => a + b, 0) / losses.length;
    const squares = losses.reduce((sum, x) => sum + (x - mean) ** 2, 0);
    return { length, mean, deviation: losses.length > 1 ? Math.sqrt(squares / (losses.length - 1)) : 0 };
  });
  return { score: 'nats', chance, lengths: spreads, observed: {}, runs };
}
