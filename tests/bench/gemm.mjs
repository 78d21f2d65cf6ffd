// Native matrix products with the shapes of training, on one thread: each supported instruction level, the gemm that packs in every call, and
// Eigen with AVX2 and FMA, taking turns (gemm_bench.cpp). The peak is that of multiply-adds in registers, measured in the same run.
import { join } from 'node:path';
import { run } from '../../scripts/run.mjs';
import { configureAndBuild } from '../../scripts/wasm/cmake.mjs';

export const needs = [];

const LEVELS = ['portable', 'neon', 'avx2', 'avx512'];

/** @returns {Promise<{ what: string, size: string, gflops: Record<string, number>, peaks: Record<string, number>, difference: number, compiler: string }[]>} */
export async function gemmRows() {
  const options = { PHASOR_BENCH: 'ON', CMAKE_BUILD_TYPE: 'Release' };
  const folder = await configureAndBuild('native-release', { options, targets: ['phasor_gemm_bench'] });
  const { compiler, shapes, peaks } = JSON.parse(run(join(folder, 'tests/bench/phasor_gemm_bench'), []));
  return shapes.map(({ what, rows, inner, columns, difference, ms }) => ({
    what,
    size: `${rows} x ${inner} x ${columns}`,
    difference,
    gflops: Object.fromEntries(Object.entries(ms).map(([by, time]) => [by, (2 * rows * inner * columns) / time / 1e6])),
    peaks,
    compiler,
  }));
}

const widest = ({ gflops }) => LEVELS.findLast((level) => level in gflops);

export const columns = (rows) => [
  ['product', (row) => row.what],
  ['rows x inner x columns', (row) => row.size],
  ...LEVELS.filter((level) => rows.some(({ gflops }) => level in gflops)).flatMap((level) => [
    [`${level}, GFLOP/s`, (row) => row.gflops[level].toFixed(1)],
    ['% of its peak', (row) => ((100 * row.gflops[level]) / row.peaks[level]).toFixed(0)],
  ]),
  ['packed per call, portable', (row) => row.gflops.packed.toFixed(1)],
  ['Eigen, AVX2 and FMA', (row) => row.gflops.eigen.toFixed(1)],
  ['widest, times Eigen', (row) => (row.gflops[widest(row)] / row.gflops.eigen).toFixed(2)],
  ['largest difference', (row) => row.difference.toExponential(0)],
];
