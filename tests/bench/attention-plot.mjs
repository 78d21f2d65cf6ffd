// The figure of docs/performance.md from the stored rows: `node tests/bench/attention-plot.mjs` writes docs/attention-speed.svg.
// tests/web/docs.test.ts compares the file with the rows.
import { writeFileSync } from 'node:fs';
import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { attentionLedger } from './attention-tables.mjs';

const width = 720;
const height = 400;
const left = 56;
const right = 150;
const top = 36;
const bottom = 44;

// The colours are distinct on white and on dark backgrounds; without colour, the order of the names on the right identifies the lines.
const engines = [
  ['Phasor, SIMD', '#0f766e', 3],
  ['ONNX Runtime Web, graph', '#b45309', 1.5],
  ['ONNX Runtime Web, operator', '#d97706', 1.5],
  ['TensorFlow.js, wasm', '#7c3aed', 1.5],
  ['JavaScript loop', '#6b7280', 1.5],
];

/** @param {{ rows: object[] }} ledger */
export function attentionPlot({ rows }) {
  const peak = rows.find(({ where, what }) => where === 'Node' && what.startsWith('peak')).gflops;
  const lines = engines.map(([what, color, stroke]) => ({
    what,
    color,
    stroke,
    points: rows
      .filter((row) => row.where === 'Node' && row.what === what && row.encoding === 'none' && row.causal === false && row.gflops > 0)
      .sort((a, b) => a.tokens - b.tokens),
  }));
  const shown = lines.flatMap(({ points }) => points);
  const x = scaleLog([16, Math.max(...shown.map(({ tokens }) => tokens))], [left, width - right]);
  const y = scaleLog([Math.min(...shown.map(({ gflops }) => gflops)) / 1.3, peak * 1.2], [height - bottom, top]);
  const path = line(
    ({ tokens }) => x(tokens).toFixed(1),
    ({ gflops }) => y(gflops).toFixed(1),
  );
  const text = (at, down, words, more = '') => `<text x="${at.toFixed(1)}" y="${down.toFixed(1)}" ${more}>${words}</text>`;

  // Names are beside the ends of their lines, moved apart where they would overlap.
  const names = lines
    .filter(({ points }) => points.length > 0)
    .map((one) => ({ ...one, down: y(one.points.at(-1).gflops) }))
    .sort((a, b) => a.down - b.down);
  names.forEach((name, i) => {
    name.down = Math.max(name.down, (i > 0 ? names[i - 1].down : y(peak)) + 15);
  });
  const sizes = [...new Set(shown.map(({ tokens }) => tokens))].sort((a, b) => a - b);
  const marks = [0.1, 0.3, 1, 3, 10, 30].filter((value) => value > y.domain()[0]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="sans-serif" font-size="12">
<title>Speed of attention by text length, one thread, Node: Phasor beside its peers</title>
<rect width="${width}" height="${height}" fill="#fbfaf5"/>
${text(left, 20, 'GFLOP/s, 8 heads of 64 channels, no mask, one thread, Node', 'fill="#374151"')}
${marks.map((value) => `<path d="M${left} ${y(value).toFixed(1)}H${width - right}" stroke="#e5e3da"/>${text(left - 8, y(value) + 4, value, 'fill="#6b7280" text-anchor="end"')}`).join('\n')}
${sizes.map((tokens) => text(x(tokens), height - bottom + 18, tokens, 'fill="#6b7280" text-anchor="middle"')).join('\n')}
${text((left + width - right) / 2, height - 8, 'tokens', 'fill="#374151" text-anchor="middle"')}
<path d="M${left} ${y(peak).toFixed(1)}H${width - right}" stroke="#374151" stroke-dasharray="4 4"/>
${text(width - right + 8, y(peak) + 4, `peak in registers ${peak.toFixed(0)}`, 'fill="#374151"')}
${lines.map(({ color, stroke, points }) => `<path d="${path(points)}" fill="none" stroke="${color}" stroke-width="${stroke}"/>`).join('\n')}
${names.map(({ what, color, down }) => text(width - right + 8, down + 4, what.replace('ONNX Runtime Web', 'ONNX'), `fill="${color}"`)).join('\n')}
</svg>
`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('../../docs/attention-speed.svg', import.meta.url), attentionPlot(attentionLedger()));
}
