// The embed code of "Export", pasted into an empty page of another server, shows the same values.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { serve } from './static-server.ts';

test('an embedded figure whose script is blocked by CORS shows a link to the figure', async ({ page }) => {
  // Without Access-Control-Allow-Origin.
  const site = await serve({ '/site/': join(process.cwd(), 'dist/site') });
  const folder = mkdtempSync(join(tmpdir(), 'phasor-embed-'));
  const otherServer = await serve({ '/': folder });
  try {
    await page.goto(`${site.origin}/site/lab/#v=3&encoding=alibi&question=scores&view=bias`);
    const figure = page.locator('phasor-figure[kind="bias"]:not([compact])');
    await figure.getByText('Export', { exact: true }).click();
    const code = (await figure.getByRole('group', { name: 'Embed this figure in another page:' }).textContent()) ?? '';
    writeFileSync(
      join(folder, 'index.html'),
      `<!doctype html><html lang="en"><title>elsewhere</title><link rel="icon" href="data:,">${code}`,
    );
    const corsError = page.waitForEvent('console', (message) => message.text().includes('CORS'));
    await page.goto(`${otherServer.origin}/`);
    await corsError;
    const link = page.getByRole('link', {
      name: 'Which bias does the encoding add to each score? If no figure appears here, open it in Phasor.',
    });
    await expect(link).toBeVisible();
    await link.click();
    await expect(page.locator('phasor-figure[kind="bias"]').first()).toHaveAttribute('data-state', 'ready');
  } finally {
    site.close();
    otherServer.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the embed code of a figure in the Lab shows the same values on another origin', async ({ page }) => {
  const site = await serve({ '/some/where/': join(process.cwd(), 'dist/site') }, { isPublic: true });
  const folder = mkdtempSync(join(tmpdir(), 'phasor-embed-'));
  const otherServer = await serve({ '/': folder });
  const numbersOf = (element: Element) =>
    (element as PhasorFigureElement).ready.then(() =>
      Object.entries((element as PhasorFigureElement).tensors()).map(([name, { shape, data }]) => [name, [...shape], [...data]]),
    );
  try {
    const views = { bias: 'question=scores&view=bias', attention: 'question=attention&view=attention' };
    const kinds = Object.keys(views);
    const state = 'v=1&encoding=alibi&params=form:causal&text=the+river+bank+was+very+steep&mask=causal&order=1.0.2.3.4.5';
    await page.goto(`${site.origin}/some/where/lab/`);
    const expected: unknown[] = [];
    let body = '';
    for (const [kind, view] of Object.entries(views)) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `${state}&${view}`);
      const figure = page.locator(`phasor-figure[kind="${kind}"]:not([compact])`);
      await expect(figure).toHaveAttribute('data-state', 'ready');
      await figure.getByText('Export', { exact: true }).click();
      const code = await figure.getByRole('group', { name: 'Embed this figure in another page:' }).textContent();
      expect(code).toContain(
        `<script type="module" src="${site.origin}/some/where/embed/figure.js"></script>\n<phasor-figure kind="${kind}"`,
      );
      expected.push(await figure.evaluate(numbersOf));
      body += code;
    }
    expect(JSON.stringify(expected).length).toBeGreaterThan(200);
    writeFileSync(
      join(folder, 'index.html'),
      `<!doctype html><html lang="en"><title>elsewhere</title><link rel="icon" href="data:,">${body}`,
    );
    const otherPage = await page.context().newPage();
    await otherPage.goto(`${otherServer.origin}/`);
    await otherPage.waitForFunction(() => customElements.get('phasor-figure'));
    const actual = [];
    for (const kind of kinds) actual.push(await otherPage.locator(`phasor-figure[kind="${kind}"]`).evaluate(numbersOf));
    expect(actual).toEqual(expected);
    const firstFigure = otherPage.locator('phasor-figure').first();
    await firstFigure.getByText('Export', { exact: true }).click();
    await expect(firstFigure.getByRole('group', { name: 'Embed this figure in another page:' })).toContainText(
      `src="${site.origin}/some/where/embed/figure.js"`,
    );
    await otherPage.close();
  } finally {
    site.close();
    otherServer.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
