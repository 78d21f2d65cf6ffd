// The native benchmarks of tests/bench/*.cpp, whose names are what/size.
import { join } from 'node:path';
import { run } from '../../scripts/run.mjs';
import { configureAndBuild } from '../../scripts/wasm/cmake.mjs';

/**
 * Building takes minutes; PHASOR_BENCH_NATIVE=0 in the environment skips it and returns no rows.
 * @param {string} filter a regular expression of names
 * @returns {Promise<{ what: string, size: string, milliseconds: number, counters: object }[]>} medians
 */
export async function nativeRows(filter) {
  if (process.env.PHASOR_BENCH_NATIVE === '0') return [];
  const folder = await configureAndBuild('native-release', { options: { PHASOR_BENCH: 'ON', CMAKE_BUILD_TYPE: 'Release' } });
  const { benchmarks } = JSON.parse(
    run(join(folder, 'tests/bench/phasor_bench'), [
      `--benchmark_filter=${filter}`,
      '--benchmark_format=json',
      '--benchmark_repetitions=5',
      '--benchmark_report_aggregates_only=true',
      '--benchmark_enable_random_interleaving=true',
    ]),
  );
  return benchmarks
    .filter((entry) => entry.aggregate_name === 'median')
    .map((entry) => {
      const [what, ...size] = entry.run_name.split('/');
      return { what, size: size.join(' x '), milliseconds: entry.real_time, counters: entry };
    });
}
