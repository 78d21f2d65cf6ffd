// Steps of experiment E1 with ALiBi in TensorFlow.js on its wasm backend, one thread: the network, loss, clipping, Adam and initial weights of
// Phasor's trainer. Tokens and targets are fixed; a step costs the same as with random ones.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setThreadsCount } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs-core';
import { build } from 'vite';
import { root } from '../../scripts/root.mjs';

const SYMBOLS = 20;
const CLASSES = 2;
/** Largest allowed difference of the logits. */
const SAME = 1e-4;

/** Bundles and imports the gradients: Node's build of TensorFlow.js has none, and reads the same registry. */
async function registerGradients(folder) {
  const entry = join(root, 'tests/bench/node_modules/@tensorflow/tfjs-core/dist/register_all_gradients.js');
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { outDir: folder, emptyOutDir: false, lib: { entry, formats: ['es'], fileName: () => 'gradients.mjs' } },
  });
  await import(pathToFileURL(join(folder, 'gradients.mjs')).href);
}

function normalised(x, { weight, bias }) {
  const { mean, variance } = tf.moments(x, -1, true);
  return tf.add(tf.mul(tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5))), weight), bias);
}

const gelu = (x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));

/** x W^T + bias, with x (items * tokens, width). */
const linear = (x, weight, bias) => (bias ? tf.add(tf.matMul(x, weight, false, true), bias) : tf.matMul(x, weight, false, true));

/** The bias (heads, tokens, tokens), for a power of two of heads. */
function alibi(heads, tokens) {
  const bias = new Float32Array(heads * tokens * tokens);
  for (let at = 0; at < bias.length; at += 1) {
    const [head, query, key] = [Math.floor(at / tokens ** 2), Math.floor(at / tokens) % tokens, at % tokens];
    bias[at] = -Math.abs(key - query) * 2 ** ((-8 * (head + 1)) / heads);
  }
  return tf.tensor(bias, [heads, tokens, tokens]);
}

function attention(x, items, tokens, heads, bias, inWeight, outWeight) {
  const width = x.shape[1];
  const parts = tf.split(linear(x, inWeight), 3, 1);
  const [q, k, v] = parts.map((part) => tf.transpose(tf.reshape(part, [items, tokens, heads, width / heads]), [0, 2, 1, 3]));
  const scores = tf.add(tf.mul(tf.matMul(q, k, false, true), (width / heads) ** -0.5), bias); // (items, heads, tokens, tokens)
  const mixed = tf.transpose(tf.matMul(tf.softmax(scores), v), [0, 2, 1, 3]);
  return linear(tf.reshape(mixed, [items * tokens, width]), outWeight);
}

/**
 * @param {{ spec: object, weights(): Promise<object>, logits(tokens: number[]): Promise<{ data: Float32Array }> }} trainer
 * @param {string} folder for the bundle of gradients
 * @returns {Promise<{ step: () => number, dispose: () => void }>} `step` returns the loss before the update
 * @throws if its logits differ from those of the trainer
 */
export async function tensorflowTrainer(trainer, folder) {
  await registerGradients(folder);
  setThreadsCount(1);
  if (!(await tf.setBackend('wasm'))) throw new Error('TensorFlow.js has no wasm backend here');
  const { layers, heads, embedDim: width, batchSize: batch, sequenceLength: length, lr, beta1, beta2, eps, maxGradNorm } = trainer.config;
  const w = Object.fromEntries(
    Object.entries(await trainer.weights()).map(([name, { data, shape }]) => [name, tf.variable(tf.tensor(data, shape), true)]),
  );
  const part = (name) => ({ weight: w[`${name}.weight`], bias: w[`${name}.bias`] });
  const bias = alibi(heads, length);
  // The embedding is a product with one-hot rows, because this backend has no gradient of gather.
  const logits = (hot, items) => {
    let x = tf.mul(tf.matMul(hot, w['embedding.weight']), Math.sqrt(width));
    for (let n = 0; n < layers; n += 1) {
      const of = (name) => part(`layers.${n}.${name}`);
      const inWeight = w[`layers.${n}.attention.in_proj_weight`];
      x = tf.add(x, attention(normalised(x, of('norm1')), items, length, heads, bias, inWeight, of('attention.out_proj').weight));
      const [up, down] = [of('feed_forward.up'), of('feed_forward.down')];
      x = tf.add(x, linear(gelu(linear(normalised(x, of('norm2')), up.weight, up.bias)), down.weight, down.bias));
    }
    const head = part('head');
    return linear(tf.mean(tf.reshape(normalised(x, part('norm')), [items, length, width]), 1), head.weight, head.bias);
  };
  const hotOf = (tokens) => tf.tidy(() => tf.cast(tf.oneHot(tf.tensor1d(tokens, 'int32'), SYMBOLS), 'float32'));

  const probe = Array.from({ length }, (_, i) => (7 * i) % SYMBOLS);
  const [ours, theirs] = [(await trainer.logits(probe)).data, tf.tidy(() => logits(hotOf(probe), 1).dataSync())];
  const apart = Math.max(...theirs.map((x, i) => Math.abs(x - ours[i])));
  if (!(apart < SAME)) throw new Error(`TensorFlow.js has logits that are ${apart} from ours`);

  const hot = hotOf(Array.from({ length: batch * length }, (_, i) => (i * i + 3 * i) % SYMBOLS));
  const targets = tf.cast(
    tf.oneHot(
      tf.tensor1d(
        Array.from({ length: batch }, (_, i) => ((i * 5) % 3) % CLASSES),
        'int32',
      ),
      CLASSES,
    ),
    'float32',
  );
  const optimizer = tf.train.adam(lr, beta1, beta2, eps);
  const step = () =>
    tf.tidy(() => {
      const loss = () => tf.neg(tf.mean(tf.sum(tf.mul(targets, tf.logSoftmax(logits(hot, batch))), -1)));
      const { value, grads } = tf.variableGrads(loss);
      const norm = tf.sqrt(tf.addN(Object.values(grads).map((grad) => tf.sum(tf.square(grad)))));
      const factor = tf.minimum(tf.div(maxGradNorm, tf.add(norm, 1e-6)), 1);
      optimizer.applyGradients(Object.fromEntries(Object.entries(grads).map(([name, grad]) => [name, tf.mul(grad, factor)])));
      return value.dataSync()[0];
    });
  return { step, dispose: () => tf.dispose([...Object.values(w), bias, hot, targets]) };
}
