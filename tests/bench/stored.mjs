// Native products with weights in the number formats of checkpoints, on one thread: each supported instruction level, beside the product of
// float32 (stored_bench.cpp). The peak of multiply-adds in registers and the bandwidth of a sum over memory are measured in the same run.
import { join } from 'node:path';
import { run } from '../../scripts/run.mjs';
import { configureAndBuild } from '../../scripts/wasm/cmake.mjs';

export const needs = [];

const LEVELS = ['portable', 'neon', 'avx2', 'avx512'];

/** @returns {Promise<{ format: string, rows: number, bytes: number, gflops: Record<string, number>, ms: Record<string, number>, peaks: Record<string, number>, bandwidth: number, compiler: string }[]>} */
export async function storedRows() {
  const options = { PHASOR_BENCH: 'ON', CMAKE_BUILD_TYPE: 'Release' };
  const folder = await configureAndBuild('native-release', { options, targets: ['phasor_stored_bench'] });
  const { compiler, products, peaks, bandwidth } = JSON.parse(run(join(folder, 'tests/bench/phasor_stored_bench'), []));
  return products.map(({ format, rows, inner, columns, bytes, ms }) => ({
    format,
    rows,
    bytes,
    ms,
    gflops: Object.fromEntries(Object.entries(ms).map(([by, time]) => [by, (2 * rows * inner * columns) / time / 1e6])),
    peaks,
    bandwidth,
    compiler,
  }));
}

const widest = ({ gflops }) => LEVELS.findLast((level) => level in gflops);

export const columns = (rows) => [
  ['weights', (row) => row.format],
  ['rows', (row) => row.rows],
  ...LEVELS.filter((level) => rows.some(({ gflops }) => level in gflops)).map((level) => [
    `${level}, GFLOP/s`,
    (row) => row.gflops[level].toFixed(1),
  ]),
  ['% of the peak of the widest', (row) => ((100 * row.gflops[widest(row)]) / row.peaks[widest(row)]).toFixed(0)],
  ['product of float32, GFLOP/s', (row) => row.gflops.gemm.toFixed(1)],
  ['GB/s', (row) => (row.bytes / row.ms[widest(row)] / 1e6).toFixed(1)],
  ['% of the bandwidth', (row) => ((100 * row.bytes) / row.ms[widest(row)] / 1e6 / row.bandwidth).toFixed(0)],
];
