// The offline page, opened from disk: it computes in a worker and asks the network for nothing.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, expect, firefox, test } from '@playwright/test';

const address = pathToFileURL(join(process.cwd(), 'dist/offline/lab.html')).href;

const browsers: Record<string, () => Promise<Browser>> = {
  Chromium: () =>
    chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] }),
  // Debian's Firefox speaks WebDriver BiDi, which this channel of Playwright uses.
  'Firefox ESR': () => firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr' }),
};

for (const [name, launch] of Object.entries(browsers)) {
  test(`lab.html opens from disk in ${name} and computes in a worker`, async () => {
    const browser = await launch();
    const page = await browser.newPage();
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
    // A word without a vector: the website fetches its list of words for it.
    await page.goto(`${address}#v=1&text=Rohan+killed+the+xyzzyq&encoding=rope&order=3.0.1.2`);
    const badge = page.getByTestId('badge');
    await expect(badge).toHaveAttribute('data-encoding', 'rope', { timeout: 20_000 });
    await expect(badge).toHaveAttribute('data-state', 'changed');
    expect(Number(await badge.getAttribute('data-max-abs-diff'))).toBeGreaterThan(0.01);
    await expect(page.locator('ph-engine')).toHaveText(/^computed by phasor \d+\.\d+\.\d+, WebAssembly (SIMD|without SIMD)$/);
    expect(await page.evaluate(() => (window as unknown as { workers: string[] }).workers)).toEqual([expect.stringMatching(/^blob:/)]);

    const asked = () => requests.filter((url) => !url.startsWith(address) && !/^(data|blob):/.test(url));
    expect(asked()).toEqual([]);
    // The list would not be empty if the page or a worker had asked.
    await page.evaluate(() => {
      const ask = (from: string): string => `fetch('http://127.0.0.1:47113/${from}').catch(() => {})`;
      new Worker(URL.createObjectURL(new Blob([ask('worker')])));
      void fetch('http://127.0.0.1:47113/page').catch(() => {});
    });
    await expect.poll(() => asked().sort()).toEqual(['http://127.0.0.1:47113/page', 'http://127.0.0.1:47113/worker']);
    await browser.close();
  });
}
