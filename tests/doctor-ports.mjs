// Faulty ports and their dumps. Each port is a function in JavaScript and in Python, with its fault and without it.

/** @typedef {{ shape: number[], data: Float32Array | Int32Array }} Dumped */
/**
 * @typedef {object} Port
 * @property {string} name of the function in Python; in JavaScript it is `port`
 * @property {string} verdict
 * @property {Record<string, Dumped>} files input arrays by file name
 * @property {(port: (...words: any[]) => any, files: Record<string, any>) => Record<string, Dumped>} dump the arrays that the port computes, by file name
 * @property {string[]} words arguments of the command line
 * @property {(isRight: boolean) => string} javascript
 * @property {(isRight: boolean) => string} python
 */

const DIM = 32;
const PAIRS = DIM / 2;
const TOKENS = 24;
/** @param {number[]} shape @param {number} step */
const makeSineTensor = (shape, step) => ({
  shape,
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, index) => 2 * Math.sin(index * index * step + index)),
});
/** @param {number[]} shape @param {Iterable<number>} values */
const makeTensor = (shape, values) => ({ shape, data: Float32Array.from(values) });
const POSITIONS = Array.from({ length: TOKENS }, (_, token) => token);
const claim = ['--claim', `{"id":"rope","layout":"half_split","base":10000}`];

/** A port that scales and masks products, in both languages. @param {string} scale a number @param {string} sees an expression: whether a query sees a key */
const scoresIn = (scale, sees) => ({
  javascript: `export const port = (products, { products: [heads, queries, keys] }) => products.map((product, at) => {
  const [query, key] = [Math.floor(at / keys) % queries + keys - queries, at % keys];
  return ${sees} ? product * ${scale} : -Infinity;
});`,
  python: `import torch

def scores(products):
    heads, queries, keys = products.shape
    query, key = torch.arange(keys - queries, keys)[:, None], torch.arange(keys)[None]
    return (products * ${scale}).masked_fill(~(${sees.replace('&&', '&').replace(/(query [-<>=]+ key( < \d+)?|key <= query)/g, '($1)')}), -torch.inf)`,
});

/** @type {Port[]} */
export const PORTS = [
  {
    name: 'inv_freq',
    verdict: 'wrong_base',
    files: {},
    dump: (port) => ({ inv_freq: makeTensor([PAIRS], port()) }),
    words: claim,
    javascript: (isRight) =>
      `export const port = () => Array.from({ length: ${PAIRS} }, (_, t) => ${isRight ? 10000 : 500000} ** (-t / ${PAIRS}));`,
    python: (isRight) => `import torch

def inv_freq():
    return ${isRight ? 10000 : 500000}.0 ** (-torch.arange(${PAIRS}) / ${PAIRS})`,
  },
  {
    name: 'cos_sin',
    verdict: 'wrong_table_layout',
    files: {},
    dump: (port) => {
      const [cos, sin] = port(POSITIONS);
      return { cos: makeTensor([TOKENS, DIM], cos), sin: makeTensor([TOKENS, DIM], sin) };
    },
    words: claim,
    javascript: (isRight) => `export function port(positions) {
  const angles = positions.flatMap((position) =>
    Array.from({ length: ${DIM} }, (_, column) => position * 10000 ** (-(${isRight ? `column % ${PAIRS}` : 'column >> 1'}) / ${PAIRS})));
  return [angles.map(Math.cos), angles.map(Math.sin)];
}`,
    python: (isRight) => `import torch

def cos_sin(positions):
    angles = positions[:, None] * 10000.0 ** (-torch.arange(${PAIRS}) / ${PAIRS})
    angles = ${isRight ? 'torch.cat([angles, angles], -1)' : 'angles.repeat_interleave(2, -1)'}
    return angles.cos(), angles.sin()`,
  },
  {
    name: 'cos_sin_cache',
    verdict: 'cos_sin_swapped',
    files: {},
    dump: (port) => ({ cos_sin_cache: makeTensor([TOKENS, DIM], port(POSITIONS)) }),
    words: claim,
    javascript: (isRight) => `export const port = (positions) => positions.flatMap((position) => {
  const angles = Array.from({ length: ${PAIRS} }, (_, t) => position * 10000 ** (-t / ${PAIRS}));
  return [...angles.map(Math.${isRight ? 'cos' : 'sin'}), ...angles.map(Math.${isRight ? 'sin' : 'cos'})];
});`,
    python: (isRight) => `import torch

def cos_sin_cache(positions):
    angles = positions[:, None] * 10000.0 ** (-torch.arange(${PAIRS}) / ${PAIRS})
    return torch.cat([angles.${isRight ? 'cos' : 'sin'}(), angles.${isRight ? 'sin' : 'cos'}()], -1)`,
  },
  {
    name: 'scores',
    verdict: 'scale_missing',
    files: { products: makeSineTensor([4, TOKENS, TOKENS], 0.37) },
    dump: (port, { products }) => ({ scores: makeTensor(products.shape, port(products.data, { products: products.shape })) }),
    words: ['--claim', '{"causal":true}', '--dim', '16'],
    javascript: (isRight) => scoresIn(isRight ? '0.25' : '1', 'key <= query').javascript,
    python: (isRight) => scoresIn(isRight ? '0.25' : '1', 'key <= query').python,
  },
  {
    name: 'scores',
    verdict: 'window_missing',
    files: { products: makeSineTensor([4, TOKENS, TOKENS], 0.37) },
    dump: (port, { products }) => ({ scores: makeTensor(products.shape, port(products.data, { products: products.shape })) }),
    words: ['--claim', '{"causal":true,"window":6}', '--dim', '16'],
    javascript: (isRight) => scoresIn('0.25', isRight ? 'key <= query && query - key < 6' : 'key <= query').javascript,
    python: (isRight) => scoresIn('0.25', isRight ? 'key <= query && query - key < 6' : 'key <= query').python,
  },
  {
    name: 'weights',
    verdict: 'sinks_missing',
    files: { q: makeSineTensor([4, TOKENS, 16], 0.21), k: makeSineTensor([2, TOKENS, 16], 0.43), sinks: makeTensor([4], [1, 0, 2, 0.5]) },
    dump: (port, { q, k, sinks }) => ({
      weights: makeTensor([4, TOKENS, TOKENS], port(q.data, k.data, sinks.data, { q: q.shape, k: k.shape })),
    }),
    words: ['--claim', '{"causal":true}'],
    javascript: (isRight) => `export function port(q, k, sinks, { q: [heads, queries, dim], k: [kvHeads, keys] }) {
  const out = [];
  for (let head = 0; head < heads; head++)
    for (let query = 0; query < queries; query++) {
      const scores = Array.from({ length: keys }, (_, key) => {
        if (key > query + keys - queries) return -Infinity;
        let sum = 0;
        for (let at = 0; at < dim; at++)
          sum += q[(head * queries + query) * dim + at] * k[(Math.floor((head * kvHeads) / heads) * keys + key) * dim + at];
        return sum / Math.sqrt(dim);
      });
      const all = ${isRight ? '[...scores, sinks[head]]' : 'scores'};
      const most = Math.max(...all);
      const sum = all.reduce((total, score) => total + Math.exp(score - most), 0);
      out.push(...scores.map((score) => Math.exp(score - most) / sum));
    }
  return out;
}`,
    python: (isRight) => `import torch

def weights(q, k, sinks):
    heads, queries, dim = q.shape
    k = k.repeat_interleave(heads // k.shape[0], 0)
    keys = k.shape[1]
    hidden = torch.arange(keys)[None] > torch.arange(keys - queries, keys)[:, None]
    scores = (q @ k.transpose(1, 2) / dim**0.5).masked_fill(hidden, -torch.inf)
    ${isRight ? 'scores = torch.cat([scores, sinks[:, None, None].expand(-1, queries, 1)], -1)' : 'pass'}
    return scores.softmax(-1)[..., :keys]`,
  },
  {
    name: 'position_ids',
    verdict: 'cache_ignored',
    files: {},
    dump: (port) => ({ position_ids: { shape: [8], data: Int32Array.from(port({ tokens: 8, past: 16 })) } }),
    words: ['--past', '16'],
    javascript: (isRight) =>
      `export const port = ({ tokens, past }) => Array.from({ length: tokens }, (_, token) => token${isRight ? ' + past' : ''});`,
    python: (isRight) => `import torch

def position_ids(tokens, past):
    return torch.arange(tokens)${isRight ? ' + past' : ''}`,
  },
  {
    name: 'position_ids',
    verdict: 'padding_counted',
    files: { mask: { shape: [8], data: Int32Array.of(0, 0, 0, 1, 1, 1, 1, 1) } },
    dump: (port, { mask }) => ({ position_ids: { shape: [8], data: Int32Array.from(port({ tokens: 8, mask: [...mask.data] })) } }),
    words: [],
    javascript: (isRight) => `export function port({ tokens, mask }) {
  let next = 0;
  return Array.from({ length: tokens }, (_, token) => ${isRight ? '(mask[token] ? next++ : 1)' : 'token'});
}`,
    python: (isRight) => `import torch

def position_ids(tokens, mask):
    ${isRight ? 'return (torch.tensor(mask).cumsum(0) - 1).clamp_min(0)' : 'return torch.arange(tokens)'}`,
  },
];

/** The content of an .npy file. @param {Dumped} dumped */
export function npy({ shape, data }) {
  const type = data instanceof Int32Array ? 'i4' : 'f4';
  const text = `{'descr': '<${type}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const header = Buffer.from(`${text.padEnd(117)}\n`);
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0]);
  return Buffer.concat([start, header, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
}

/** Inputs and outputs of a port with its fault, by file name. @param {Port} port */
export async function dumpOf({ files, dump, javascript }) {
  const { port } = await import(`data:text/javascript,${encodeURIComponent(javascript(false))}`);
  return { ...files, ...dump(port, files) };
}
