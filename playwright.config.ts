import { defineConfig } from '@playwright/test';
import { chromiumForTests, firefoxOptions } from './scripts/setup/browsers.mjs';

/** What has to hold in another engine too. Within these files a test of our own logic alone, which no engine changes, has the tag @one-engine. */
const IN_FIREFOX = /\/(book|book-alive|front|lab|lecture|story|hard-input|figure-theme|trainer)\.spec\.ts$/;

// Browsers come from the system: Playwright's own downloads are not needed.
export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '*.spec.ts',
  // A test waits now and then; more than there are processors leave them idle for 4% of the time instead of 12.
  workers: 3,
  // Limits for a hang, not for a slow machine: no test measures time.
  timeout: 180_000,
  // What a page shows after an answer of a worker comes late where two browsers and four trainings share two processors.
  expect: { timeout: 30_000 },
  // A browser that stumbles once is told as flaky at the end; a test that fails twice fails. At one's own desk nothing is tried again.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  // A copy of the site that answers for it would do so before the routes of a test; installed.spec.ts has one.
  use: { serviceWorkers: 'block' },
  projects: [
    {
      name: 'firefox',
      // It starts for longer than two of its tests take, so once; first, because one worker has all of them.
      workers: 1,
      testMatch: IN_FIREFOX,
      // axe reads documents, which are the same in both; without JavaScript Playwright learns no size from Firefox, which tells of no layout shift.
      grepInvert: /@one-engine|axe|without JavaScript|nothing moves/,
      use: { browserName: 'firefox', launchOptions: firefoxOptions() },
    },
    {
      name: 'chromium',
      use: {
        launchOptions: chromiumForTests(),
      },
    },
  ],
});
