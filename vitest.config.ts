import { defineConfig } from 'vitest/config';
import { plugins } from './vite.config.ts';

export default defineConfig({
  plugins: plugins(),
  test: {
    include: ['tests/web/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A machine of tests has nothing else to do, so no processor is left free. Threads start faster than processes, and files that share one load
    // their modules once: a test that needs a module of its own asks for it (vi.resetModules), because ours keep no state.
    maxWorkers: '100%',
    pool: 'threads',
    isolate: false,
  },
});
