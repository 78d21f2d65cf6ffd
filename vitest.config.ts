import { defineConfig } from 'vitest/config';
import { plugins } from './vite.config.ts';

export default defineConfig({
  plugins: plugins(),
  // A machine of tests has nothing else to do, so no processor is left free. A file of tests has its modules for itself, in a thread: a process of
  // its own takes longer to start.
  test: { include: ['tests/web/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: '100%', pool: 'threads' },
});
