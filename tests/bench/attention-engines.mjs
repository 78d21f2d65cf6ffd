// Attention in each engine, in Node and in a browser, which loads this file unchanged. An engine is { what, prepare(problem) }. `prepare` returns
// { run, numbers, release? }: `run` is timed, and `numbers` converts its result to (heads, tokens, width).
// A problem is { q, k, v, causal, encoding }; q, k and v have the same shape, (heads, tokens, width).

import { attentionLoop } from './attention-loop.mjs';
import { onnxModel } from './onnx-model.mjs';

/** The memories of all WebAssembly instances created from here on; engines are created one after the other. */
const memories = [];
for (const name of ['instantiate', 'instantiateStreaming']) {
  const original = WebAssembly[name];
  if (!original) continue;
  WebAssembly[name] = async (source, imports = {}) => {
    const made = await original(source, imports);
    const exports = (made.instance ?? made).exports;
    for (const value of [exports, ...Object.values(imports)].flatMap((names) => Object.values(names))) {
      if (value instanceof WebAssembly.Memory) memories.push(value);
    }
    return made;
  };
}

/** @returns {Promise<[engine: object, memory: () => number]>} the engine, and the total bytes of the instances it created */
export async function withMemory(create) {
  const before = memories.length;
  const engine = await create();
  const own = [...new Set(memories.slice(before))];
  return [engine, () => own.reduce((sum, memory) => sum + memory.buffer.byteLength, 0)];
}

const maskOf = (causal) => (causal ? 'causal' : 'none');

/**
 * @param {{ out?: boolean, keep?: boolean }} [kept] `out`: calls write into the same output array; `keep`: q, k and v are tensors in the memory
 * of the engine, like those of the peers
 */
export function phasorEngine(what, phasor, { out = false, keep = false } = {}) {
  return {
    what,
    prepare({ q, k, v, causal, encoding }) {
      const tensors = keep ? [q, k, v].map((tensor) => phasor.createTensor(tensor)) : [q, k, v];
      const [heads, tokens] = q.shape;
      const request = {
        q: tensors[0],
        k: tensors[1],
        v: tensors[2],
        mask: maskOf(causal),
        encoding,
        out: out ? { output: new Float32Array(heads * tokens * v.shape[2]) } : undefined,
      };
      return {
        run: () => phasor.attention(request),
        numbers: ({ output }) => output.data,
        release() {
          if (keep) for (const tensor of tensors) tensor.dispose();
        },
      };
    },
  };
}

export const loopEngine = {
  what: 'JavaScript loop',
  prepare: ({ q, k, v, causal }) => ({ run: () => attentionLoop(q, k, v, causal), numbers: (data) => data }),
};

/** (heads, tokens, width) -> (tokens, heads, width), or back */
function transposed(data, heads, tokens, width) {
  const out = new Float32Array(data.length);
  for (let h = 0; h < heads; h += 1) {
    for (let t = 0; t < tokens; t += 1) {
      const row = data.subarray((h * tokens + t) * width, (h * tokens + t + 1) * width);
      out.set(row, (t * heads + h) * width);
    }
  }
  return out;
}

/** The additive causal mask, (n, n). */
const causalBias = (n) => Float32Array.from({ length: n * n }, (_, at) => (at % n > Math.floor(at / n) ? -1e30 : 0));

/** ONNX Runtime Web's fused operator, MultiHeadAttention; its arrays are (1, tokens, heads * width). */
export function onnxOperator(ort) {
  const form = { shape: [1, 'n', 'w'] };
  return {
    what: 'ONNX Runtime Web, operator',
    async prepare({ q, k, v, causal }) {
      const [heads, tokens, width] = q.shape;
      const model = onnxModel({
        nodes: [
          {
            op: 'MultiHeadAttention',
            domain: 'com.microsoft',
            inputs: ['q', 'k', 'v'],
            outputs: ['out'],
            attributes: { num_heads: heads, unidirectional: causal ? 1 : 0 },
          },
        ],
        inputs: { q: form, k: form, v: form },
        outputs: { out: form },
        opsets: { '': 17, 'com.microsoft': 1 },
      });
      const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] });
      const feed = ({ data }) => new ort.Tensor('float32', transposed(data, heads, tokens, width), [1, tokens, heads * width]);
      const feeds = { q: feed(q), k: feed(k), v: feed(v) };
      return {
        run: async () => (await session.run(feeds)).out,
        numbers: ({ data }) => transposed(data, tokens, heads, width),
        release: () => session.release(),
      };
    },
  };
}

/** ONNX Runtime Web with the operators of an exported model: Mul, MatMul, (Add,) Softmax, MatMul. */
export function onnxGraph(ort) {
  const form = { shape: ['h', 'n', 'd'] };
  const node = (op, inputs, output, attributes = {}) => ({ op, inputs, outputs: [output], attributes });
  return {
    what: 'ONNX Runtime Web, graph',
    async prepare({ q, k, v, causal }) {
      const tokens = q.shape[1];
      const model = onnxModel({
        nodes: [
          node('Mul', ['q', 'scale'], 'scaled'),
          node('Transpose', ['k'], 'kt', { perm: [0, 2, 1] }),
          node('MatMul', ['scaled', 'kt'], 'scores'),
          ...(causal ? [node('Add', ['scores', 'bias'], 'seen')] : []),
          node('Softmax', [causal ? 'seen' : 'scores'], 'weights', { axis: -1 }),
          node('MatMul', ['weights', 'v'], 'out'),
        ],
        inputs: { q: form, k: form, v: form, scale: { shape: [1] }, ...(causal ? { bias: { shape: ['n', 'n'] } } : {}) },
        outputs: { out: form },
        opsets: { '': 17 },
      });
      const session = await ort.InferenceSession.create(model, { executionProviders: ['wasm'] });
      const feed = ({ data, shape }) => new ort.Tensor('float32', data, shape);
      const feeds = { q: feed(q), k: feed(k), v: feed(v), scale: new ort.Tensor('float32', [1 / Math.sqrt(q.shape[2])], [1]) };
      if (causal) feeds.bias = new ort.Tensor('float32', causalBias(tokens), [tokens, tokens]);
      return { run: async () => (await session.run(feeds)).out, numbers: ({ data }) => data, release: () => session.release() };
    },
  };
}

export function tensorflowEngine(tf) {
  return {
    what: 'TensorFlow.js, wasm',
    prepare({ q, k, v, causal }) {
      const tokens = q.shape[1];
      const scale = tf.scalar(1 / Math.sqrt(q.shape[2]));
      const [tq, tk, tv] = [q, k, v].map(({ data, shape }) => tf.tensor(data, shape));
      const bias = causal ? tf.tensor(causalBias(tokens), [tokens, tokens]) : undefined;
      const attend = () => {
        const scores = tf.matMul(tf.mul(tq, scale), tk, false, true);
        return tf.matMul(tf.softmax(bias ? tf.add(scores, bias) : scores), tv);
      };
      return {
        run: () => tf.tidy(() => attend().dataSync()),
        numbers: (data) => data,
        release: () => tf.dispose([scale, tq, tk, tv, ...(bias ? [bias] : [])]),
      };
    },
  };
}
