import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { builtWasm } from './scripts/site/built-wasm.mjs';
import { plugins } from './vite.config.ts';

// Relaxed SIMD is switched on for a whole process (tests/web/relaxed-simd.ts), whose engines then round otherwise: those files have processes of their own.
const relaxed = readdirSync('tests/web', { recursive: true })
  .map((file) => `tests/web/${file}`)
  .filter((file) => file.endsWith('.test.ts') && readFileSync(file, 'utf8').includes("/relaxed-simd.ts'"));

export default defineConfig({
  plugins: [...plugins(), builtWasm()],
  test: {
    globalSetup: 'tests/web/build-wasm.mjs',
    // Limits for a hang, not for a slow machine: no test measures time.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    // A machine of tests has nothing else to do, so no processor is left free. Threads start faster than processes, and files that share one load
    // their modules once: a test that needs a module of its own asks for it (vi.resetModules), because ours keep no state.
    maxWorkers: '100%',
    isolate: false,
    projects: [
      { extends: true, test: { name: 'any', include: ['tests/web/**/*.test.ts'], exclude: relaxed, pool: 'threads' } },
      { extends: true, test: { name: 'relaxed', include: relaxed, pool: 'forks' } },
    ],
  },
});
