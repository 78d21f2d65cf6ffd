// The same contract inside Chromium, on the package as it ships: some mistakes with memory only fail in a browser.
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { build } from 'vite';
import { serve } from './static-server.ts';

let host: Awaited<ReturnType<typeof serve>>;

test.beforeAll(async () => {
  const outDir = 'build/browser-contract';
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      lib: { entry: 'tests/web/engine.contract.ts', formats: ['es'], fileName: 'contract' },
    },
  });
  host = await serve({ '/npm/': join(process.cwd(), 'dist/npm'), '/contract/': join(process.cwd(), outDir) });
});
test.afterAll(() => host.close());

for (const variant of ['simd', 'scalar'] as const) {
  for (const creator of ['createPhasor', 'createPhasorWorker'] as const) {
    test(`the contract holds in Chromium: ${variant}, ${creator}`, async ({ page }) => {
      await page.goto(`${host.origin}/npm/package.json`);
      const failures = await page.evaluate(
        async ({ origin, variant, creator }) => {
          const { contract } = await import(`${origin}/contract/contract.js`);
          const phasor = await (await import(`${origin}/npm/index.js`))[creator]({ variant });
          const failures: string[] = phasor.variant === variant ? [] : [`the variant is ${phasor.variant}`];
          for (const { name, run } of contract) {
            await run(phasor).catch((error: Error) => failures.push(`${name}: ${error.message}`));
          }
          if (contract.length === 0) failures.push('there are no cases');
          return failures;
        },
        { origin: host.origin, variant, creator },
      );
      expect(failures).toEqual([]);
    });
  }
}
