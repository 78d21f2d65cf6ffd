// Third-party pages: bare HTML of one origin that imports phasor/figure, as packaged, from another origin.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { serve } from './static-server.ts';

let folder = '';
let scripts: Awaited<ReturnType<typeof serve>>;
let pages: Awaited<ReturnType<typeof serve>>;
let count = 0;

/** Serves the package and the pages while the tests of the calling file run. */
export function serveStrangers(): void {
  test.beforeAll(async () => {
    const folders = { '/cdn/phasor/': join(process.cwd(), 'dist/npm'), '/cdn/phasor-models/': join(process.cwd(), 'dist/npm-models') };
    scripts = await serve(folders, { isPublic: true });
    folder = mkdtempSync(join(tmpdir(), 'phasor-strangers-'));
    pages = await serve({ '/': folder });
  });
  test.afterAll(() => {
    scripts.close();
    pages.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

export const scriptAddress = () => `${scripts.origin}/cdn/phasor/figure.js`;

interface Stranger {
  readonly head?: string;
  readonly body: string;
  /** Whether the page includes the script (default: true); otherwise `start` loads it. */
  readonly script?: boolean;
}

/** Opens a page. @returns its errors, which are collected until it is closed */
export async function visit(page: Page, { head = '', body, script = true }: Stranger): Promise<string[]> {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  count += 1;
  const tag = script ? `<script type="module" src="${scriptAddress()}"></script>` : '';
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A stranger</title><link rel="icon" href="data:,">${head}${tag}</head><body>${body}</body></html>`;
  writeFileSync(join(folder, `${count}.html`), html);
  await page.goto(`${pages.origin}/${count}.html`);
  return problems;
}

/** Loads the script into a page that does not include it. */
export const start = (page: Page) => page.evaluate((address) => import(address).then(() => {}), scriptAddress());

export const ready = (page: Page, selector = 'phasor-figure') =>
  page.evaluate(async (selectors) => {
    await customElements.whenDefined('phasor-figure');
    await Promise.all([...document.querySelectorAll<PhasorFigureElement>(selectors)].map((figure) => figure.ready));
  }, selector);

export const figure = (attributes: string, content = '') => `<phasor-figure kind="similarity" ${attributes}>${content}</phasor-figure>`;

/** Records layout shifts from now on. @returns a function that returns the sizes of the shifts so far */
export async function layoutShifts(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.evaluate(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift' });
  });
  return async () => {
    await page.waitForTimeout(100);
    return page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  };
}
