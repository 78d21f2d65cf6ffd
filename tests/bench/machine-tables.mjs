// Tables of docs/performance.md from the newest run in the ledger: `node tests/bench/machine-tables.mjs` prints
// them, `--write` writes them between the markers of the page. tests/web/docs.test.ts compares the page with them.
import { readFileSync, writeFileSync } from 'node:fs';
import { withSection } from '../../scripts/sections.mjs';
import { columns as gemmColumns } from './gemm.mjs';
import { runsOf } from './ledger.mjs';
import { markdown } from './markdown.mjs';

const page = new URL('../../docs/performance.md', import.meta.url);
const time = (row) => (row && !row.fails ? (row.cpu ?? row.milliseconds) : undefined);
/** The lesser of processor and wall time: for calls that allocate arrays, garbage collection on other threads adds to the processor time. */
const least = (row) => row && Math.min(row.cpu ?? Number.POSITIVE_INFINITY, row.milliseconds);
const figure = (value) => (value === undefined ? undefined : value >= 100 ? value.toFixed(0) : value.toPrecision(3));
const ratio = (a, b) => (a && b ? (a / b).toFixed(2) : undefined);

function fusedTable(rows, where, causal) {
  const of = (what, tokens) =>
    rows.find((row) => row.where === where && row.what === what && row.tokens === tokens && row.causal === causal);
  const onnx = (tokens) => {
    const times = ['operator', 'graph'].map((form) => time(of(`ONNX Runtime Web, ${form}`, tokens))).filter(Boolean);
    return times.length > 0 ? Math.min(...times) : undefined;
  };
  const own = (what) => (tokens) => time(of(`Phasor, ${what}`, tokens));
  const sizes = [...new Set(rows.flatMap(({ tokens }) => tokens ?? []))].sort((a, b) => a - b);
  return markdown(
    [
      ['tokens', (tokens) => tokens],
      ['SIMD', (tokens) => figure(own('SIMD')(tokens))],
      ['relaxed', (tokens) => figure(own('relaxed')(tokens))],
      ['relaxed, out', (tokens) => figure(own('relaxed, out')(tokens))],
      ['relaxed, kept', (tokens) => figure(own('relaxed, kept')(tokens))],
      ['ONNX Runtime', (tokens) => figure(onnx(tokens))],
      ['relaxed, times SIMD', (tokens) => ratio(own('SIMD')(tokens), own('relaxed')(tokens))],
      ['SIMD, times ONNX Runtime', (tokens) => ratio(onnx(tokens), own('SIMD')(tokens))],
      ['relaxed', (tokens) => ratio(onnx(tokens), own('relaxed')(tokens))],
      ['relaxed, out', (tokens) => ratio(onnx(tokens), own('relaxed, out')(tokens))],
      ['relaxed, kept', (tokens) => ratio(onnx(tokens), own('relaxed, kept')(tokens))],
      ['relaxed, % of the peak', (tokens) => (100 * (of('Phasor, relaxed', tokens)?.share ?? Number.NaN)).toFixed(0)],
    ],
    sizes,
  );
}

function encodingTable(rows) {
  const kinds = [...new Map(rows.filter(({ where }) => where === 'Node').map((row) => [`${row.encoding} ${row.size}`, row])).values()];
  const of = (what) => (kind) =>
    least(rows.find((row) => row.where === 'Node' && row.what === what && row.encoding === kind.encoding && row.size === kind.size));
  const [simd, out] = [of('Phasor simd'), of('Phasor simd, out')];
  return markdown(
    [
      ['what', ({ encoding }) => encoding],
      ['size', ({ size }) => size],
      ['Phasor SIMD', (kind) => figure(simd(kind))],
      ['with out', (kind) => figure(out(kind))],
      ['JavaScript loop', (kind) => figure(of('JavaScript loop')(kind))],
      ['ONNX Runtime Web', (kind) => figure(of('ONNX Runtime Web')(kind))],
      ['copy of the result', (kind) => figure(of('copy of the result')(kind))],
      ['with out, times without', (kind) => ratio(simd(kind), out(kind))],
      ['with out, times the loop', (kind) => ratio(of('JavaScript loop')(kind), out(kind))],
      ['with out, times ONNX Runtime', (kind) => ratio(of('ONNX Runtime Web')(kind), out(kind))],
    ],
    kinds,
  );
}

/** The newest run of a suite whose rows satisfy `has`, as a list of at most one. */
const newest = (suite, has = () => true) =>
  runsOf(suite)
    .filter(({ rows }) => has(rows))
    .slice(-1);

export function machineTables() {
  const places = (rows) => [...new Set(rows.map(({ where }) => where))];
  const fused = newest('fused').flatMap(({ processor, engine, load, rows }) =>
    places(rows).flatMap((where) =>
      [false, true].map(
        (causal) =>
          `${processor}; ${where === 'Node' ? `${engine}, ms of processor time` : `${where}, ms by the clock`}; ${causal ? 'causal' : 'no mask'}; load ${load}:\n\n${fusedTable(rows, where, causal)}`,
      ),
    ),
  );
  const encodings = newest('encodings', (rows) => rows.some(({ what }) => what === 'Phasor simd, out')).map(
    ({ processor, engine, load, rows }) =>
      `${processor}; ${engine}, ms of the clock or of the processor, whichever is less; load ${load}:\n\n${encodingTable(rows)}`,
  );
  const gemm = newest('gemm').map(({ processor, load, rows }) => {
    const peaks = Object.entries(rows[0].peaks).map(([level, gflops]) => `${level} ${gflops.toFixed(0)}`);
    return `${processor}; ${rows[0].compiler}; peaks in GFLOP/s: ${peaks.join(', ')}; load ${load}:\n\n${markdown(gemmColumns(rows), rows)}`;
  });
  return { fused: fused.join('\n\n'), encodings: encodings.join('\n\n'), gemm: gemm.join('\n\n') };
}

export const withTables = (text, tables) =>
  Object.entries(tables).reduce((all, [name, table]) => withSection(all, name, table, 'docs/performance.md'), text);

if (process.argv[1] === import.meta.filename) {
  const tables = machineTables();
  if (process.argv.includes('--write')) writeFileSync(page, withTables(readFileSync(page, 'utf8'), tables));
  else for (const [name, table] of Object.entries(tables)) console.log(`${name}\n\n${table}\n`);
}
