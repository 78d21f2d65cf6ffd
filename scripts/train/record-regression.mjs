// Records the figure `regression`: its photograph (64 shades per channel), learned without features and with those of each sigma. It uses the
// trainer of the package, because the native program has neither the photograph in these shades nor the output of a network.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { entryOf } from './entry-of.mjs';
import { short } from './record-report.mjs';

const SEEDS = [1, 2, 3];
/** The number of points of a curve. */
const POINTS = 20;
const SIGMAS = [0.25, 0.5, 1, 2, 4, 8, 16, 32];
const SIDE = 64;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** @import { EncodingConfig } from '../../web/engine/types/encodings.ts' */
/** @import { Phasor, Weights } from '../../web/engine/index.ts' */
/** @import { AnyEncoding, Engines } from './engines.mjs' */

/** Decodes the photograph as in web/figure/runtime/photographs.ts. */
function photograph() {
  /** @type {{ astronaut: string }} */
  const { astronaut } = JSON.parse(readFileSync(join(root, 'public/data/photographs.json'), 'utf8'));
  const shades = new Uint8Array(astronaut.length);
  for (let at = 0; at < shades.length; at++) {
    shades[at] = (LETTERS.indexOf(astronaut.charAt(at)) + leftOf(shades, at)) % LETTERS.length;
  }
  return { shape: [SIDE, SIDE, 3], data: Float32Array.from(shades, (shade) => shade / (LETTERS.length - 1)) };
}

/** The left neighbour of a shade, or 0 in the first column. @param {Uint8Array} shades @param {number} at */
const leftOf = (shades, at) => (at % (3 * SIDE) < 3 ? 0 : (shades[at - 3] ?? 0));

const positions = {
  shape: [SIDE * SIDE, 2],
  data: Float64Array.from({ length: 2 * SIDE * SIDE }, (_, at) => (at % 2 === 0 ? Math.floor(at / 2 / SIDE) : (at >> 1) % SIDE) / SIDE),
};

/**
 * The output of the network at every pixel: 256 shades as differences from their left neighbours, in base64.
 * @param {Phasor} phasor
 * @param {Weights} weights
 * @param {EncodingConfig} encoding
 */
function pictureOf(phasor, weights, encoding) {
  const bare = { shape: positions.shape, data: Float32Array.from(positions.data) };
  let x = encoding.id === 'none' ? bare : phasor.positionTable({ encoding, positions, dim: 1 });
  const layers = Object.keys(weights).length / 2;
  for (let layer = 0; layer < layers; layer++) {
    const weight = entryOf(weights, `layers.${layer}.weight`);
    const { data: bias } = entryOf(weights, `layers.${layer}.bias`);
    const [units = 0, inputs = 0] = weight.shape;
    const v = { shape: [1, units, 1], data: new Float32Array(units) };
    const q = { shape: [1, SIDE * SIDE, inputs], data: x.data };
    const { data } = phasor.attention({ q, k: { shape: [1, units, inputs], data: weight.data }, v, scale: 1, outputs: ['scores'] }).scores;
    const isLast = layer === layers - 1;
    const out = data.map((product, at) => {
      const sum = product + (bias[at % units] ?? Number.NaN);
      return isLast ? 1 / (1 + Math.exp(-sum)) : Math.max(0, sum);
    });
    x = { shape: [SIDE * SIDE, units], data: out };
  }
  const shades = Uint8Array.from(x.data, (value) => Math.round(255 * value));
  return Buffer.from(shades.map((shade, at) => shade - leftOf(shades, at))).toString('base64');
}

/** @param {Engines} engines @param {ReturnType<typeof photograph>} image @param {'none' | (AnyEncoding & { sigma: number })} encoding */
async function run({ createTrainer, phasor }, image, encoding) {
  /** @type {{ at: number[][], between: number[][], chance?: number, pixels?: string, encoding?: EncodingConfig, spec?: object, every?: number }} */
  const created = { at: [], between: [] };
  for (const seed of SEEDS) {
    const trainer = await createTrainer({ task: 'image', image, encoding, seed });
    const every = trainer.config.steps / POINTS;
    /** @type {number[]} */
    const at = [];
    /** @type {number[]} */
    const between = [];
    for (let point = 0; point < POINTS; point++) {
      await trainer.step(every);
      const { lengths, metrics, chance } = await trainer.evaluate();
      at.push(short(entryOf(metrics, 'train_decibels')));
      between.push(short(lengths[0]?.score ?? Number.NaN));
      created.chance = short(chance);
    }
    created.at.push(at);
    created.between.push(between);
    if (seed === SEEDS[0]) created.pixels = pictureOf(phasor, await trainer.weights(), trainer.config.encoding);
    const { encoding: own, seed: _, ...spec } = trainer.config;
    Object.assign(created, { encoding: own, spec, every });
    trainer.dispose();
  }
  console.log(`regression ${encoding === 'none' ? 'alone' : `sigma ${encoding.sigma}`}`);
  return created;
}

/** @param {Engines} result */
export async function recordRegression(result) {
  const image = photograph();
  const { spec, every, chance, ...plain } = await run(result, image, 'none');
  const features = [];
  for (const sigma of SIGMAS) {
    const { spec: _, every: __, chance: ___, ...one } = await run(result, image, { id: 'fourier', features: 64, extent: 1, sigma });
    features.push({ sigma, ...one });
  }
  return { command: 'npm run record -- regression', chance, every, spec, plain, features };
}
