import { defineConfig } from '@playwright/test';

// Browsers come from the system: Playwright's own downloads are not needed.
export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '*.spec.ts',
  workers: 2,
  timeout: 60_000,
  reporter: [['list']],
  use: {
    launchOptions: {
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
    },
  },
});
