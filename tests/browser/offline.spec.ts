// The offline pages, opened from disk: they compute in a worker and send no requests.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, expect, firefox, type Page, test } from '@playwright/test';
import { chromiumOptions, firefoxOptions } from '../../scripts/setup/browsers.mjs';

const fileUrl = (path: string): string => pathToFileURL(join(process.cwd(), 'dist', path)).href;
const address = fileUrl('offline/lab.html');
const demos = readdirSync('web/standalone/demos').map((name) => name.replace(/\.md$/, ''));

const browsers: Record<string, () => Promise<Browser>> = {
  Chromium: () => chromium.launch(chromiumOptions()),
  // Debian's Firefox supports WebDriver BiDi, which this channel of Playwright uses.
  'Firefox ESR': () => firefox.launch(firefoxOptions()),
};

/** Collects all later requests of the page. Its workers are in `window.workers`. */
async function collectRequests(page: Page): Promise<string[]> {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.addInitScript(() => {
    const workers: string[] = [];
    Object.assign(window, { workers });
    window.Worker = class extends Worker {
      constructor(source: string | URL, options?: WorkerOptions) {
        super(source, options);
        workers.push(String(source));
      }
    };
  });
  return requests;
}

const workersOf = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { workers: string[] }).workers);

async function expectDemo(page: Page, name: string): Promise<void> {
  await page.goto(fileUrl(`offline/${name}.html`));
  const figures = page.locator('phasor-figure');
  expect(await figures.count(), name).toBeGreaterThan(1);
  for (const figure of await figures.all()) {
    await figure.scrollIntoViewIfNeeded();
    await expect(figure, name).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
    await expect(figure.locator('.proof'), name).toHaveText(/(✓|=|≠|△)[\s\S]*\d.*tolerance/);
    await expect(figure.locator('canvas').first(), name).toBeVisible();
  }
  await expect(page.locator('#state')).toHaveText(/^Computed on this device with phasor \d+\.\d+\.\d+, WebAssembly (relaxed )?SIMD\.$/);
  const workers = await workersOf(page);
  for (const worker of workers) expect(worker, name).toMatch(/^blob:/);
  // The engine; for a language model also its headers, weights and tokenizer.
  expect(workers.length, name).toBe(name === 'your-model' ? 4 : 1);
}

for (const [name, launch] of Object.entries(browsers)) {
  test(`files opened from disk in ${name} compute in a worker and send no requests`, async () => {
    const browser = await launch();
    const page = await browser.newPage();
    const requests = await collectRequests(page);
    // Includes a word without a vector, for which the website would fetch its list of words.
    await page.goto(`${address}#v=1&text=Rohan+killed+the+xyzzyq&encoding=rope&order=3.0.1.2`);
    const badge = page.getByTestId('badge');
    await expect(badge).toHaveAttribute('data-encoding', 'rope', { timeout: 20_000 });
    await expect(badge).toHaveAttribute('data-state', 'changed');
    expect(Number(await badge.getAttribute('data-max-abs-diff'))).toBeGreaterThan(0.01);
    await expect(page.locator('ph-engine')).toHaveText(/^computed by phasor \d+\.\d+\.\d+, WebAssembly ((relaxed )?SIMD|without SIMD)$/);
    expect(await workersOf(page)).toEqual([expect.stringMatching(/^blob:/)]);

    const remoteRequests = () => requests.filter((url) => !url.startsWith(address) && !/^(data|blob):/.test(url));
    expect(remoteRequests()).toEqual([]);
    // Requests of the page and of a worker would have been recorded.
    await page.evaluate(() => {
      const fetchCode = (from: string): string => `fetch('http://127.0.0.1:47113/${from}').catch(() => {})`;
      new Worker(URL.createObjectURL(new Blob([fetchCode('worker')])));
      void fetch('http://127.0.0.1:47113/page').catch(() => {});
    });
    await expect.poll(() => remoteRequests().sort()).toEqual(['http://127.0.0.1:47113/page', 'http://127.0.0.1:47113/worker']);

    const files = name === 'Chromium' ? demos : demos.slice(0, 1);
    requests.length = 0;
    for (const demo of files) await expectDemo(page, demo);
    expect(requests.filter((url) => !files.some((demo) => url === fileUrl(`offline/${demo}.html`)) && !/^(data|blob):/.test(url))).toEqual(
      [],
    );
    await browser.close();
  });
}

test('a demo opens the files of a model and saves a report without requests', async ({ page }) => {
  const requests = await collectRequests(page);
  await page.goto(fileUrl('offline/your-model.html'));
  const figure = page.locator('phasor-figure[kind="model-heads"]').first();
  await figure.scrollIntoViewIfNeeded();
  await expect(figure).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
  const initialText = await figure.locator('.readout').textContent();
  const files = ['config.json', 'model.safetensors', 'tokenizer.json'].map((name) => join('public/models/austen', name));
  await figure.locator('input[name=files]').setInputFiles(files);
  await expect(figure.locator('.file-input')).toContainText('Opened: llama, 1.1 million parameters');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await expect(figure.locator('.readout')).toHaveText(initialText as string);
  const download = page.waitForEvent('download');
  await figure.getByRole('button', { name: 'Save a report' }).click();
  const report = await readFile(await (await download).path(), 'utf8');
  expect(report).toContain('<h1>How llama encodes position</h1>');
  expect(report).toContain('rope_theta');
  // The head, its layers, and the pairs that it uses.
  expect(report.match(/<svg/g)?.length).toBe(3);
  expect(requests.filter((url) => url !== fileUrl('offline/your-model.html') && !/^(data|blob):/.test(url))).toEqual([]);
});

test('a demo trains without requests', async ({ page }) => {
  const requests = await collectRequests(page);
  await page.goto(fileUrl('offline/training.html'));
  const figure = page.locator('phasor-figure[kind="extrapolation"]').last();
  await figure.scrollIntoViewIfNeeded();
  await expect(figure).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
  await figure.getByRole('button', { name: /Train/ }).click();
  const stop = figure.getByRole('button', { name: 'Stop' });
  await expect(stop).toBeVisible();
  await expect(figure.locator('.readout')).toHaveText('Not measured yet.');
  await expect(figure.locator('.readout')).toHaveText(/^256 tokens, .*T5 \d/, { timeout: 40_000 });
  await stop.click();
  await expect(figure.getByRole('button', { name: 'Use another seed' })).toBeVisible();
  expect(requests.filter((url) => url !== fileUrl('offline/training.html') && !/^(data|blob):/.test(url))).toEqual([]);
});

test('the offline Lab trains without requests', async ({ page }) => {
  const requests = await collectRequests(page);
  await page.goto(`${address}#v=1&encoding=rope&question=learn&view=race`);
  const figure = page.locator('phasor-figure[kind="race"]');
  await figure.scrollIntoViewIfNeeded();
  await expect(figure).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
  await figure.getByRole('button', { name: /Train/ }).click();
  const stop = figure.getByRole('button', { name: 'Stop' });
  await expect(figure.locator('.readout')).toHaveText(/^Step \d+: .*RoPE \d/, { timeout: 40_000 });
  await stop.click();
  await expect(figure.getByRole('button', { name: 'Use another seed' })).toBeVisible();
  expect(requests.filter((url) => !url.startsWith(address) && !/^(data|blob):/.test(url))).toEqual([]);
});

test('the offline book has unique ids, valid links and live figures', async ({ page }) => {
  const requests = await collectRequests(page);
  const book = fileUrl('offline/book.html');
  await page.goto(`${book}#rotation--all`);
  const figure = page.locator('#rotation--all phasor-figure');
  await expect(figure).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
  await expect(figure.locator('.proof')).toContainText('tolerance');
  await expect(figure).toBeInViewport();
  const { twice, dead, chapters } = await page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    const links = [...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href') as string);
    return {
      twice: ids.filter((id, index) => ids.indexOf(id) !== index),
      dead: links.filter((href) => !(/^https?:/.test(href) || ids.includes(href.replace(/^#/, '')))),
      chapters: document.querySelectorAll('.contents .chapters a').length,
    };
  });
  expect({ twice, dead, chapters }).toEqual({ twice: [], dead: [], chapters: readdirSync('web/book/chapters').length });
  expect(await workersOf(page)).toEqual([expect.stringMatching(/^blob:/)]);
  expect(requests.filter((url) => !url.startsWith(book) && !/^(data|blob):/.test(url))).toEqual([]);
});

test('the offline book includes the trained models of its figures and trains one of them', async ({ page }) => {
  test.setTimeout(400_000);
  const requests = await collectRequests(page);
  const book = fileUrl('offline/book.html');
  const open = async (address: string) => {
    await page.goto(`${book}#${address}`);
    const figure = page.locator(`#${address} phasor-figure`);
    await figure.scrollIntoViewIfNeeded();
    await expect(figure).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
    return figure;
  };
  // The table of the included T5 model; a model that is not included is reported.
  const bias = await open('biases--chosen');
  await expect(bias.locator('.readout')).toHaveText(/\d/);
  await bias.evaluate((element) => element.setAttribute('encoding', 'kerple'));
  await expect(bias).toContainText('no model has the id "text-kerple"; expected text-cope, text-rope, text-t5, ');
  await expect(bias).toContainText('(the phasor-models package contains all models)');
  const bert = await open('learned-tables--ripples');
  await bert.evaluate((element) => element.setAttribute('dim', '96'));
  await expect(bert.locator('.readout')).toContainText('Only the first 96 of 384 channels are shown.');
  const table = await open('learned-tables--grown');
  const near = async (): Promise<number> =>
    Number(/mean cosine of ([\d.]+)/.exec((await table.locator('.readout').textContent()) ?? '')?.[1]);
  expect(await near()).toBeGreaterThan(0.6);
  await table.getByRole('button', { name: /Train/ }).click();
  await expect(table.locator('.readout')).toHaveText(/^After [1-9]\d* steps: /, { timeout: 40_000 });
  await table.getByRole('button', { name: 'Stop' }).click();
  expect(requests.filter((url) => !url.startsWith(book) && !/^(data|blob):/.test(url))).toEqual([]);
});

test('a demo without DecompressionStream reports it and shows still pictures', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'DecompressionStream'));
  await page.goto(fileUrl('offline/biases.html'));
  await expect(page.locator('#state')).toHaveText(/^This browser cannot unpack .* so the figures on this page are static pictures\.$/);
  await expect(page.locator('svg.still').first()).toBeVisible();
});

test('the website reports that it was opened from disk and shows still pictures', async ({ page }) => {
  for (const path of ['index.html', 'lab/index.html', 'book/rotation/index.html']) {
    await page.goto(fileUrl(`site/${path}`));
    await expect(page.getByText(/^This page was opened from disk/), path).toBeVisible();
    await expect(page.getByText(/^The program of this page did not load/), path).toBeHidden();
    // A content security policy may forbid style attributes, so the first picture of the Lab has none.
    await expect(page.locator('.first-sentence [style]'), path).toHaveCount(0);
    await expect(page.locator('.first-sentence, svg.still').first(), path).toBeVisible();
  }
});
