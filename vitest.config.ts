import { defineConfig } from 'vitest/config';
import { plugins } from './vite.config.ts';

export default defineConfig({
  plugins: plugins(),
  test: { include: ['tests/web/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
