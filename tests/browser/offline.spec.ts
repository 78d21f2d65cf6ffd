// The offline page, opened from disk: it computes in a worker and asks the network for nothing.
import { statSync } from 'node:fs';
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
    expect(statSync('dist/offline/lab.html').size).toBeGreaterThan(100_000);
    const browser = await launch();
    const page = await browser.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(address);
    const badge = page.getByTestId('badge');
    await expect(badge).toHaveAttribute('data-largest', /\d/, { timeout: 20_000 });
    expect(Number(await badge.getAttribute('data-largest'))).toBeLessThan(1e-5);
    await expect(page.getByText(/WebAssembly/).first()).toBeVisible();
    expect(requests.filter((url) => !/^(file|data|blob):/.test(url))).toEqual([]);
    await browser.close();
  });
}
