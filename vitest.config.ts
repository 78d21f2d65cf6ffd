import { defineConfig } from 'vitest/config';
import { plugins } from './vite.config.ts';

export default defineConfig({
  plugins: plugins(),
  // A machine of tests has nothing else to do, so no processor is left free.
  test: { include: ['tests/web/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: '100%' },
});
