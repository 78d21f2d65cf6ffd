// The engine contract and the golden cases in Chromium, on the published package: some memory errors appear only in browsers.
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
      lib: {
        entry: ['engine', 'golden', 'golden-models', 'pool'].map((name) => `tests/web/${name}.contract.ts`),
        formats: ['es'],
      },
    },
  });
  host = await serve({
    '/npm/': join(process.cwd(), 'dist/npm'),
    '/contract/': join(process.cwd(), outDir),
    '/golden/': join(process.cwd(), 'tests/golden'),
    '/golden-models/': join(process.cwd(), 'tests/golden-models'),
  });
});
test.afterAll(() => host.close());

/** The same list as in tests/web/engine.test.ts. */
const creators = {
  relaxed: ['createPhasor', 'createPhasorWorker', 'createPhasorPool'],
  simd: ['createPhasor', 'createPhasorPool'],
};

for (const variant of ['relaxed', 'simd'] as const) {
  for (const creator of creators[variant]) {
    test(`the contract holds in Chromium: ${variant}, ${creator}`, async ({ page }) => {
      await page.goto(`${host.origin}/npm/package.json`);
      const failures = await page.evaluate(
        async ({ origin, variant, creator }) => {
          const { contract } = await import(`${origin}/contract/engine.contract.js`);
          const entry = creator === 'createPhasor' ? 'index' : 'workers';
          const phasor = await (await import(`${origin}/npm/${entry}.js`))[creator]({ variant });
          const failures: string[] = phasor.variant === variant ? [] : [`the variant is ${phasor.variant}`];
          for (const { name, run } of contract) {
            await run(phasor).catch((error: Error) => failures.push(`${name}: ${error.message}`));
          }
          if (contract.length === 0) failures.push('no cases were loaded');
          return failures;
        },
        { origin: host.origin, variant, creator },
      );
      expect(failures).toEqual([]);
    });
  }
  test(`a pool returns the results of one worker and can be cancelled: ${variant}`, async ({ page }) => {
    await page.goto(`${host.origin}/npm/package.json`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    const failures = await page.evaluate(
      async ({ origin, variant }) => {
        const { poolContract } = await import(`${origin}/contract/pool.contract.js`);
        const { createPhasorPool, createPhasorWorker } = await import(`${origin}/npm/workers.js`);
        const pool = await createPhasorPool({ variant, workers: 2 });
        const worker = await createPhasorWorker({ variant });
        const failures: string[] = [];
        for (const { name, run } of poolContract) {
          await run(pool, worker).catch((error: Error) => failures.push(`${name}: ${error.message}`));
        }
        if (poolContract.length === 0) failures.push('no cases were loaded');
        return failures;
      },
      { origin: host.origin, variant },
    );
    expect(failures).toEqual([]);
  });
  test(`the golden cases pass in Chromium: ${variant}`, async ({ page }) => {
    await page.goto(`${host.origin}/npm/package.json`);
    const { count, failures } = await page.evaluate(
      async ({ origin, variant }) => {
        const { families, goldenCases } = await import(`${origin}/contract/golden.contract.js`);
        const phasor = await (await import(`${origin}/npm/index.js`)).createPhasor({ variant });
        const failures: string[] = [];
        let count = 0;
        for (const family of families) {
          const file = await (await fetch(`${origin}/golden/${family}.json`)).json();
          for (const { name, run } of goldenCases(file)) {
            count += 1;
            await run(phasor).catch((error: Error) => failures.push(`${name}: ${error.message}`));
          }
        }
        return { count, failures };
      },
      { origin: host.origin, variant },
    );
    expect(failures).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });
  if (variant !== 'simd')
    test(`whole models agree with their reference in Chromium: ${variant}`, async ({ page }) => {
      await page.goto(`${host.origin}/npm/package.json`);
      const { count, failures } = await page.evaluate(
        async ({ origin, variant }) => {
          const { hasModelCases, modelCases } = await import(`${origin}/contract/golden-models.contract.js`);
          const phasor = await (await import(`${origin}/npm/index.js`)).createPhasor({ variant });
          const file = (path: string) => fetch(`${origin}/golden-models/${path}`);
          const failures: string[] = [];
          let count = 0;
          for (const name of (await (await file('index.json')).json()).cases) {
            const config = await (await file(`${name}/config.json`)).json();
            const bytes = new Uint8Array(await (await file(`${name}/model.safetensors`)).arrayBuffer());
            const expected = await (await file(`${name}/expected.json`)).json();
            if (!hasModelCases(expected.family)) continue;
            for (const { name, run } of modelCases({ config, bytes, expected })) {
              count += 1;
              await run(phasor).catch((error: Error) => failures.push(`${name}: ${error.message}`));
            }
          }
          return { count, failures };
        },
        { origin: host.origin, variant },
      );
      expect(failures).toEqual([]);
      expect(count).toBeGreaterThan(0);
    });
}

test('WebAssembly is compiled while streaming if the server sends its MIME type', async ({ page }) => {
  await page.goto(`${host.origin}/npm/package.json`);
  const actual = await page.evaluate(async (origin) => {
    const { createPhasor } = await import(`${origin}/npm/index.js`);
    const streaming = WebAssembly.compileStreaming;
    let count = 0;
    WebAssembly.compileStreaming = (source) => {
      count += 1;
      return streaming(source);
    };
    const counts: unknown[] = [];
    await createPhasor();
    counts.push(count);
    // The same bytes with another MIME type, as from a server that does not know .wasm.
    const bytes = await (await fetch(`${origin}/npm/phasor.wasm`)).blob();
    const plainUrl = URL.createObjectURL(new Blob([bytes], { type: 'text/plain' }));
    counts.push((await createPhasor({ wasm: plainUrl, variant: 'simd' })).variant, count);
    counts.push(await createPhasor({ wasm: `${origin}/npm/nothing.wasm` }).catch(({ name, message }: Error) => `${name}: ${message}`));
    return counts;
  }, host.origin);
  const expected = `PhasorError: wasm: ${host.origin}/npm/nothing.wasm could not be loaded (status 404)`;
  expect(actual).toEqual([1, 'simd', 1, expected]);
});
