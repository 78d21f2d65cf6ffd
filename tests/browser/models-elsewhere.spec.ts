// Figures of trained models on other sites: models come from the package phasor-models beside phasor, or from the folder in models-src.
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serve } from './static-server.ts';
import { ready, serveStrangers, visit } from './stranger.ts';

serveStrangers();

let modelServer: Awaited<ReturnType<typeof serve>>;
let site: Awaited<ReturnType<typeof serve>>;
test.beforeAll(async () => {
  modelServer = await serve({ '/models-of-mine/': join(process.cwd(), 'public/models') }, { isPublic: true });
  site = await serve({ '/some/where/': join(process.cwd(), 'dist/site') }, { isPublic: true });
});
test.afterAll(() => {
  modelServer.close();
  site.close();
});

const insideFigure = (attributes = '') => `<phasor-figure kind="inside" text="so it is" ${attributes}></phasor-figure>`;

test('models are loaded from phasor-models beside the package, or from the folder in models-src', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const problems = await visit(page, { body: insideFigure() });
  await ready(page);
  const figure = page.locator('phasor-figure');
  const message = await figure.locator('.readout').textContent();
  expect(message).toMatch(/^Layer 2, head 3: /);
  await expect(figure.locator('summary', { hasText: '✓ verified' })).toBeVisible();
  const modelRequests = () => requests.filter((address) => /\/(models\.json|index\.json|[\w-]+\.safetensors)$/.test(address));
  expect(modelRequests()).toEqual([
    expect.stringMatching(/\/cdn\/phasor\/models\.json$/),
    expect.stringMatching(/\/cdn\/phasor-models\/text-rope-\w+\.safetensors$/),
  ]);
  // The folder has no trailing slash and is set after the figure is ready.
  await figure.evaluate((element, folder) => element.setAttribute('models-src', folder), `${modelServer.origin}/models-of-mine`);
  await expect
    .poll(() => modelRequests().slice(2))
    .toEqual([`${modelServer.origin}/models-of-mine/index.json`, expect.stringMatching(/\/models-of-mine\/text-rope-\w+\.safetensors$/)]);
  await ready(page);
  await expect(figure.locator('.readout')).toHaveText(message as string);
  expect(problems).toEqual([]);
});

test('missing models are reported with the expected location', async ({ page }) => {
  await visit(page, { body: insideFigure(`models-src="${modelServer.origin}/elsewhere/"`) });
  const figure = page.locator('phasor-figure');
  await expect(figure).toHaveAttribute('data-state', 'failed');
  // The 404 response has no CORS headers, so browsers report only that the request failed.
  await expect(figure).toContainText(`models: ${modelServer.origin}/elsewhere/index.json could not be loaded (`);
  await expect(figure).toContainText('expected this file in the folder set by the models-src attribute, as in the phasor-models package');
  await figure.evaluate((element) => element.setAttribute('models-src', 'http://'));
  await expect(figure).toContainText('models-src: "http://" is not the URL of a folder');
});

test('figures from the script of the site use the models of the site', async ({ page }) => {
  const script = `<script type="module" src="${site.origin}/some/where/embed/figure.js"></script>`;
  const problems = await visit(page, { head: script, body: insideFigure('encoding="t5"'), script: false });
  await ready(page);
  await expect(page.locator('phasor-figure .readout')).toHaveText(/^Layer 2, head 3: /);
  expect(problems).toEqual([]);
});
