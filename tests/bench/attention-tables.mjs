// The tables of docs/performance.md, section Attention, from the stored rows: `node tests/bench/attention-tables.mjs`.
// tests/web/docs.test.ts compares the page with them.
import { runsOf } from './ledger.mjs';
import { markdown } from './markdown.mjs';

const time = (row) => (row && !row.fails ? (row.threads ? row.milliseconds : (row.cpu ?? row.milliseconds)) : undefined);
const figure = (value) => (value === undefined ? undefined : value >= 100 ? value.toFixed(0) : value.toPrecision(3));
const ratio = (a, b) => (a && b ? (a / b).toFixed(2) : undefined);
const mebibytes = (row) => row?.memory && (row.memory / 2 ** 20).toFixed(0);

/** @param {{ rows: object[] }} ledger */
export function attentionTables({ rows }) {
  const places = [...new Set(rows.map(({ where }) => where))].filter((where) => where !== 'native');
  const [node, page] = ['Node', places.find((where) => /^Chromium \d+$/.test(where))];
  const find = (where, what, tokens, causal, encoding = 'none') =>
    rows.find(
      (row) => row.where === where && row.what === what && row.tokens === tokens && row.causal === causal && row.encoding === encoding,
    );
  const sizes = [...new Set(rows.filter(({ where }) => where === node).flatMap(({ tokens }) => tokens ?? []))].sort((a, b) => a - b);
  const simd = (where, tokens, causal, encoding) => find(where, 'Phasor, SIMD', tokens, causal, encoding);
  const onnx = (where, tokens, causal) => {
    const times = ['operator', 'graph'].map((form) => time(find(where, `ONNX Runtime Web, ${form}`, tokens, causal))).filter((one) => one);
    return times.length > 0 ? Math.min(...times) : undefined;
  };

  const engines = (where, causal) =>
    markdown(
      [
        ['tokens', (tokens) => tokens],
        ['Phasor SIMD', (tokens) => figure(time(simd(where, tokens, causal)))],
        ['ONNX Runtime', (tokens) => figure(onnx(where, tokens, causal))],
        ['TensorFlow.js', (tokens) => figure(time(find(where, 'TensorFlow.js, wasm', tokens, causal)))],
        ['JavaScript loop', (tokens) => figure(time(find(where, 'JavaScript loop', tokens, causal)))],
        ['times ONNX Runtime', (tokens) => ratio(onnx(where, tokens, causal), time(simd(where, tokens, causal)))],
        ['GFLOP/s', (tokens) => simd(where, tokens, causal)?.gflops.toFixed(1)],
        ['% of the peak', (tokens) => (100 * (simd(where, tokens, causal)?.share ?? Number.NaN)).toFixed(0)],
      ],
      sizes,
    );
  const withEncodings = sizes.filter((tokens) => simd(node, tokens, false, 'rope'));
  const encodings = markdown(
    [
      ['tokens', ({ tokens }) => tokens],
      ['mask', ({ causal }) => (causal ? 'causal' : 'none')],
      ...['alibi', 't5', 'rope', 'shaw'].map((encoding) => [
        encoding,
        ({ tokens, causal }) => ratio(time(simd(node, tokens, causal, encoding)), time(simd(node, tokens, causal))),
      ]),
    ],
    withEncodings.flatMap((tokens) => [false, true].map((causal) => ({ tokens, causal }))),
  );
  const large = sizes.filter((tokens) => find(node, 'Phasor, pool of 2', tokens, false));
  const pool = markdown(
    [
      ['tokens', (tokens) => tokens],
      ['one worker, ms', (tokens) => figure(time(find(node, 'Phasor, one worker', tokens, false)))],
      ['pool of 2, ms', (tokens) => figure(time(find(node, 'Phasor, pool of 2', tokens, false)))],
      ['one worker, ms of processors', (tokens) => figure(find(node, 'Phasor, one worker', tokens, false)?.cpu)],
      ['pool of 2, ms of processors', (tokens) => figure(find(node, 'Phasor, pool of 2', tokens, false)?.cpu)],
      [
        'times faster with two free cores',
        (tokens) => ratio(2 * find(node, 'Phasor, one worker', tokens, false)?.cpu, find(node, 'Phasor, pool of 2', tokens, false)?.cpu),
      ],
    ],
    large,
  );
  const memory = markdown(
    [
      ['tokens', (tokens) => tokens],
      ['Phasor SIMD, MiB', (tokens) => mebibytes(simd(node, tokens, false))],
      ['ONNX Runtime, MiB', (tokens) => mebibytes(find(node, 'ONNX Runtime Web, graph', tokens, false))],
    ],
    large,
  );
  const cold = rows.filter(({ what }) => what.endsWith('very first call'));
  const first = markdown(
    [
      ['what', ({ what }) => what.replace(', very first call', '')],
      ['where', ({ where }) => where],
      ['tokens', ({ tokens }) => tokens],
      ['ms', ({ milliseconds }) => figure(milliseconds)],
    ],
    cold,
  );
  return { node: engines(node, false), causal: engines(node, true), page: engines(page, false), encodings, pool, memory, first };
}

/** The run shown on the page: the first one stored. */
export const attentionLedger = () => runsOf('attention')[0];

if (process.argv[1] === import.meta.filename) {
  for (const [name, table] of Object.entries(attentionTables(attentionLedger()))) console.log(`${name}\n\n${table}\n`);
}
