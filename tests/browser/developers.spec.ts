// The page for developers: the package download, and snippets that run when pasted into an empty file.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serve } from './static-server.ts';

test('a copied snippet runs in an empty file, and the package can be downloaded', async ({ page, context, browserName }) => {
  const site = await serve({ '/some/where/': join(process.cwd(), 'dist/site') }, { isPublic: true });
  const folder = mkdtempSync(join(tmpdir(), 'phasor-developers-'));
  try {
    if (browserName === 'chromium') await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${site.origin}/some/where/developers/`);
    const programs = page.locator('.code');
    const copyCode = async (text: string) => {
      const button = programs.filter({ hasText: text }).first().getByRole('button');
      await expect(button).toHaveText('Copy');
      await button.click();
      await expect(button).toHaveText('Copied');
      return page.evaluate(() => navigator.clipboard.readText());
    };

    const [, address] = /^npm install (http\S+\.tgz)$/.exec((await copyCode('npm install')).trim()) ?? [];
    expect(address).toMatch(/\/some\/where\/phasor-\d+\.\d+\.\d+\.tgz$/);
    const link = page.locator('.download a');
    expect(new URL((await link.getAttribute('href')) ?? '', page.url()).href).toBe(address);
    const file = await (await page.request.get(address ?? '')).body();
    writeFileSync(join(folder, 'phasor.tgz'), file);
    execFileSync('tar', ['xzf', 'phasor.tgz'], { cwd: folder });
    expect(readdirSync(join(folder, 'package'))).toEqual(expect.arrayContaining(['package.json', 'index.js', 'figure.js', 'LICENSE']));

    const snippet = await copyCode('<phasor-figure');
    writeFileSync(join(folder, 'empty.html'), snippet);
    await page.goto(`file://${join(folder, 'empty.html')}`);
    await expect(page.locator('phasor-figure')).toHaveAttribute('data-state', 'ready');
  } finally {
    site.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('code blocks are highlighted and not cut off', async ({ page }) => {
  const site = await serve({ '/': join(process.cwd(), 'dist/site') });
  try {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${site.origin}/developers/`);
      const programs = page.locator('.code > pre');
      expect(await programs.count()).toBeGreaterThanOrEqual(4);
      for (const program of await programs.all()) {
        expect(await program.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
        const colors = await program
          .locator('span')
          .evaluateAll((spans) => new Set(spans.map((element) => getComputedStyle(element).color)).size);
        expect(colors, (await program.textContent()) ?? '').toBeGreaterThan(1);
      }
    }
  } finally {
    site.close();
  }
});
