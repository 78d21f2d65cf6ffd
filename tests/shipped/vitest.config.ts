// Tests of the published packages and the site in dist: `npm run build`, then `npx vitest run --config tests/shipped/vitest.config.ts`.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/shipped/**/*.test.ts'],
    globalSetup: 'tests/shipped/check-build.mjs',
    testTimeout: 300_000,
    hookTimeout: 600_000,
    maxWorkers: '100%',
    // One test enables relaxed SIMD for its whole process.
    pool: 'forks',
  },
});
