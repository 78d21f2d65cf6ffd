// Time saved by handles: the same calls with arrays and encodings in each request, and with prepared encodings or tensors. Results must be
// bit-identical before timing.
import { rounds } from './rounds.mjs';

export const needs = ['npm'];

/** Tasks in two forms, `plain` and `handle`; `loop` is an optional form in JavaScript. */
function cases(engine) {
  const random = (seed, ...shape) => engine.randomNormal({ seed, shape });
  const table = random(1, 1024, 768);
  const learned = engine.createEncoding({ encoding: { id: 'learned', table }, length: 1024, dim: 768 });
  let position = 0;
  const next = () => {
    position = (position + 1) % 1024;
    return [position];
  };
  const row = {
    what: 'a row of a learned table',
    size: '1024 x 768',
    plain: (positions) => engine.positionTable({ encoding: { id: 'learned', table }, positions, dim: 768 }).data,
    handle: (positions) => engine.positionTable({ encoding: learned, positions }).data,
    loop: ([at]) => table.data.slice(at * 768, (at + 1) * 768),
    argument: next,
  };

  const attention = (id, heads, tokens, width) => {
    const [q, k, v] = [2, 3, 4].map((seed) => random(seed, heads, tokens, width));
    const encoding = engine.createEncoding({ encoding: id, length: tokens, dim: width, heads });
    return {
      what: `attention with ${id}`,
      size: `${heads} x ${tokens} x ${width}`,
      plain: () => engine.attention({ q, k, v, mask: 'causal', encoding: id }).output.data,
      handle: () => engine.attention({ q, k, v, mask: 'causal', encoding }).output.data,
    };
  };

  const one = random(5, 8, 1, 64);
  const [k, v] = [6, 7].map((seed) => random(seed, 8, 2048, 64));
  const [keptK, keptV] = [engine.createTensor(k), engine.createTensor(v)];
  const query = {
    what: 'one query, kept keys and values',
    size: '8 x 2048 x 64',
    plain: () => engine.attention({ q: one, k, v }).output.data,
    handle: () => engine.attention({ q: one, k: keptK, v: keptV }).output.data,
  };
  return [row, attention('transformer_xl', 8, 16, 64), attention('transformer_xl', 8, 128, 64), attention('t5', 8, 128, 64), query];
}

export async function handlesRows() {
  const { createPhasor } = await import('../../dist/npm/node.js');
  const rows = [];
  for (const variant of ['simd', 'relaxed']) {
    const engine = await createPhasor({ variant }).catch(() => undefined);
    if (!engine) continue; // this Node has no relaxed SIMD
    for (const { what, size, plain, handle, loop, argument = () => undefined } of cases(engine)) {
      const forms = { plain, handle, ...(loop ? { loop } : {}) };
      const given = argument();
      const tasks = Object.entries(forms).map(([form, run]) => ({ what: form, run: () => run(argument()) }));
      const check = () => {
        for (const [form, run] of Object.entries(forms)) {
          const [got, expected] = [run(given), plain(given)];
          if (got.some((value, i) => !Object.is(value, expected[i]))) throw new Error(`${what}: ${form} gives other numbers`);
        }
      };
      const times = await rounds(tasks, check, { warm: 30, count: 101 });
      rows.push({
        where: 'Node',
        variant,
        what,
        size,
        ...Object.fromEntries(times.map(({ what: form, cpu }) => [form, cpu])),
      });
    }
  }
  return rows;
}

export const columns = () => [
  ['where', (row) => row.where],
  ['file', (row) => row.variant],
  ['what', (row) => row.what],
  ['size', (row) => row.size],
  ['in each request, CPU ms', (row) => row.plain.toPrecision(3)],
  ['with handles, CPU ms', (row) => row.handle.toPrecision(3)],
  ['times', (row) => (row.plain / row.handle).toFixed(1)],
  ['JavaScript, CPU ms', (row) => row.loop?.toPrecision(3)],
];
