// <phasor-figure> under strict Content-Security-Policy headers: it needs one Trusted Types policy and no blob URLs, and reports a policy that forbids it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { serve } from './static-server.ts';
import { stopAfterSteps } from './training.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="teal"/></svg>';
const TYPES = "require-trusted-types-for 'script'";
const NO_BLOBS = "script-src 'self' 'wasm-unsafe-eval'";
let folder = '';

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'phasor-strict-'));
  const page = (name: string, body: string) =>
    writeFileSync(
      join(folder, name),
      `<!doctype html><html lang="en"><title>strict</title><link rel="icon" href="data:,"><script type="module" src="/phasor/figure.js"></script>${body}</html>`,
    );
  page('index.html', `<phasor-figure kind="similarity" length="8">${svg}</phasor-figure>`);
  page('training.html', '<phasor-figure kind="race" encodings="none,rope"></phasor-figure>');
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Strict {
  readonly policy: string;
  readonly media?: Record<string, string>;
}

/** Opens the page under a policy and runs `act`. @returns the workers that were started, and the uncaught errors */
async function visit(page: Page, { policy, media = {} }: Strict, action: () => Promise<void>) {
  const workers: string[] = [];
  const errors: string[] = [];
  page.on('worker', (worker) => workers.push(new URL(worker.url()).protocol === 'blob:' ? 'blob' : new URL(worker.url()).pathname));
  page.on('pageerror', ({ message }) => errors.push(message));
  const folders = { '/phasor/': join(process.cwd(), 'dist/npm'), '/': folder };
  const host = await serve(folders, { headers: { 'content-security-policy': policy }, media });
  try {
    await page.goto(`${host.origin}/`);
    await action();
  } finally {
    host.close();
  }
  return { workers, errors };
}

async function expectValues(page: Page): Promise<void> {
  const figure = page.locator('phasor-figure');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  expect(await figure.evaluate((element) => (element as PhasorFigureElement).tensors().similarity?.shape)).toEqual([8, 8]);
  // Sections that load when they are opened use templates as well.
  await figure.getByText('Export', { exact: true }).click();
  await expect(figure.getByRole('button', { name: 'SVG' })).toBeVisible();
}

for (const [name, policy, workers] of [
  ['Trusted Types with the policy phasor', `${TYPES}; trusted-types phasor`, ['blob']],
  ['Trusted Types and no blob URLs', `${TYPES}; trusted-types phasor; ${NO_BLOBS}`, ['/phasor/worker.js']],
  ['scripts of the same origin only', NO_BLOBS, ['/phasor/worker.js']],
  ['workers of the same origin only', "worker-src 'self'", ['/phasor/worker.js']],
  ['no workers', "worker-src 'none'", []],
  ['files of the same origin only', "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'; img-src data:", []],
] as const)
  test(`a figure computes on a page that allows ${name}`, async ({ page }) => {
    const seen = await visit(page, { policy }, () => expectValues(page));
    expect(seen).toEqual({ workers, errors: [] });
  });

test('a figure reports that the page forbids its Trusted Types policy', async ({ page }) => {
  const { errors } = await visit(page, { policy: `${TYPES}; trusted-types lit-html` }, async () => {
    const figure = page.locator('phasor-figure');
    const sentence =
      'phasor-figure: the page’s Content-Security-Policy (trusted-types) forbids the figure’s templates; it must allow the policy phasor';
    await expect(figure.getByRole('alert')).toHaveText(sentence);
    await expect(figure).toHaveAttribute('data-state', 'failed');
    await expect(figure.locator('svg')).toBeVisible();
    expect(
      await figure.evaluate((element) => (element as PhasorFigureElement).ready.catch(({ code, message }) => [code, message])),
    ).toEqual(['blocked_by_csp', sentence]);
  });
  expect(errors).toEqual([]);
});

test('a figure needs no policy on a page that does not require Trusted Types', async ({ page }) => {
  const { errors } = await visit(page, { policy: "trusted-types 'none'" }, () => expectValues(page));
  expect(errors).toEqual([]);
});

test('a trainer computes on the main thread of a page that forbids workers', async ({ page }) => {
  const { workers } = await visit(page, { policy: "worker-src 'none'" }, async () => {
    await page.goto(new URL('training.html', page.url()).href);
    const figure = page.locator('phasor-figure');
    await expect(figure).toHaveAttribute('data-state', 'ready');
    await figure.getByRole('button', { name: /^Train/ }).click();
    await stopAfterSteps(figure);
    await expect(figure.getByRole('alert')).toHaveCount(0);
  });
  expect(workers).toEqual([]);
});

test('WebAssembly is recognized by its first bytes, not its media type, and an HTML page instead of it is reported', async ({
  page,
  context,
}) => {
  const asPage = { '.wasm': 'text/html' };
  const { errors } = await visit(page, { policy: NO_BLOBS, media: asPage }, () => expectValues(page));
  expect(errors).toEqual([]);
  const otherPage = await context.newPage();
  await otherPage.route('**/*.wasm', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Not found</title>' }),
  );
  await visit(otherPage, { policy: NO_BLOBS }, async () => {
    await expect(otherPage.getByRole('alert')).toHaveText(
      /phasor\.wasm could not be loaded \(the response is an HTML page, not WebAssembly\)/,
    );
  });
});
