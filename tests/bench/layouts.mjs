// Attention on a projection: queries, keys and values transposed by loops, beside strided views of it, and beside arrays that are head by head
// already. The output of the first two is [tokens, heads * width], as the next projection expects it.
import { rounds } from './rounds.mjs';

const heads = 12;
const tokens = 1024;
const width = 64;

/** Offset of each head of q, k and v (parts 0, 1 and 2) in a row of the projection. */
const channels = {
  qkv_heads_dim: (part, head) => (part * heads + head) * width,
  heads_qkv_dim: (part, head) => (head * 3 + part) * width,
};

/** [tokens, channels] -> [heads, tokens, width] */
function transposed(projection, channel) {
  const data = new Float32Array(heads * tokens * width);
  const row = projection.length / tokens;
  for (let head = 0; head < heads; head += 1) {
    for (let token = 0; token < tokens; token += 1) {
      const start = token * row + channel(head);
      data.set(projection.subarray(start, start + width), (head * tokens + token) * width);
    }
  }
  return { shape: [heads, tokens, width], data };
}

/** [heads, tokens, width] -> [tokens, heads * width] */
function joined({ data }) {
  const out = new Float32Array(data.length);
  for (let head = 0; head < heads; head += 1) {
    for (let token = 0; token < tokens; token += 1) {
      const start = (head * tokens + token) * width;
      out.set(data.subarray(start, start + width), (token * heads + head) * width);
    }
  }
  return out;
}

export const needs = ['npm'];

export async function layoutsRows() {
  const { createPhasor, splitQkv } = await import('../../dist/npm/node.js');
  const phasor = await createPhasor();
  const qkv = phasor.randomNormal({ seed: 1, shape: [tokens, 3 * heads * width] });
  const split = (layout) => [0, 1, 2].map((part) => transposed(qkv.data, (head) => channels[layout](part, head)));
  const rows = [];
  for (const causal of [false, true]) {
    const mask = causal ? 'causal' : 'none';
    for (const layout of Object.keys(channels)) {
      const [q, k, v] = split(layout);
      const tasks = [
        {
          what: 'transposed by hand',
          run: () => {
            const [own, keys, values] = split(layout);
            return joined(phasor.attention({ q: own, k: keys, v: values, mask }).output);
          },
        },
        {
          what: 'views by strides',
          run: () => phasor.attention({ ...splitQkv(qkv, { heads, layout }), mask, outputLayout: 'token_major' }).output.data,
        },
        { what: 'head by head already, output too', run: () => phasor.attention({ q, k, v, mask }).output.data },
      ];
      const check = ([hand, views]) => {
        if (hand.some((value, i) => !Object.is(value, views[i]))) throw new Error(`${layout}: views give other numbers`);
      };
      for (const row of await rounds(tasks, check)) rows.push({ where: 'Node', layout, mask, ...row });
    }
  }
  return rows;
}

function times(row, rows) {
  const hand = rows.find(({ what, layout, mask }) => what === 'transposed by hand' && layout === row.layout && mask === row.mask);
  return (hand.cpu / row.cpu).toFixed(2);
}

export const columns = (rows) => [
  ['where', (row) => row.where],
  ['layout', (row) => row.layout],
  ['mask', (row) => row.mask],
  ['what', (row) => row.what],
  ['median ms', (row) => row.milliseconds.toPrecision(3)],
  ['median CPU ms', (row) => row.cpu?.toPrecision(3)],
  ['times by hand', (row) => times(row, rows)],
];
