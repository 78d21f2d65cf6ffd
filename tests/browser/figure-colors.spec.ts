// The colours of <phasor-figure> follow the surrounding page or forced system colours.
import { expect, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { figure, ready, serveStrangers, visit } from './stranger.ts';

type Figure = PhasorFigureElement;
serveStrangers();

test('the theme follows the background behind the figure or the custom properties of the page', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const style = '--phasor-background: oklch(0.25 0.02 260); --phasor-text: color(display-p3 1 0.9 0.8); --phasor-accent: hsl(30 100% 60%)';
  await visit(page, {
    body: [
      figure('id="plain" length="4"'),
      `<div style="background: #102030">${figure('id="dark" length="4"')}</div>`,
      `<div style="background: white">${figure(`id="set" length="4" style="${style}"`)}</div>`,
      figure('id="clear" length="4" style="--phasor-background: transparent"'),
    ].join(''),
  });
  await ready(page);
  const themes = await page
    .locator('phasor-figure')
    .evaluateAll((elements) => elements.map((element) => (element as Figure).dataset.theme));
  // The page declares no dark colour scheme, so it is light although the system is dark.
  expect(themes).toEqual(['light', 'dark', 'dark', 'light']);
  const svg = await page.locator('#set').evaluate((element) => (element as Figure).toSVG());
  expect(svg).toMatch(/<rect width="\d+" height="\d+" fill="#[12][\da-f]{5}"/);
  expect(svg).not.toMatch(/oklch|display-p3|hsl/);
  await page.evaluate(() => {
    document.body.style.background = '#000';
  });
  await expect(page.locator('#plain')).toHaveAttribute('data-theme', 'dark');
});

test('theme detection does not force the layout of content-visibility: auto and is repeated when the content is rendered', async ({
  page,
}) => {
  const lazyStyle = 'content-visibility: auto; contain-intrinsic-size: auto 600px; background: #102030';
  await visit(page, {
    body: `${figure('id="first" length="4"')}<div style="height: 4000px"></div>
      <div id="later" style="${lazyStyle}"><section style="background: white">${figure('id="far" length="4"')}</section></div>`,
  });
  await ready(page, '#first');
  const isLaidOut = () => page.locator('#far').evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }));
  expect(await isLaidOut()).toBe(false);
  // The background that is known without layout.
  await expect(page.locator('#far')).toHaveAttribute('data-theme', 'dark');
  await page.locator('#later').scrollIntoViewIfNeeded();
  await expect(page.locator('#far')).toHaveAttribute('data-theme', 'light');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the picture uses forced colours on ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    await visit(page, { head: '<style>:root { --phasor-background: #fff; --phasor-text: #111 }</style>', body: figure('length="8"') });
    await ready(page);
    const canvas = colorScheme === 'dark' ? '#000000' : '#ffffff';
    const ink = colorScheme === 'dark' ? '#ffffff' : '#000000';
    const svg = await page.locator('phasor-figure').evaluate((element) => (element as Figure).toSVG());
    expect(svg).toMatch(new RegExp(`<rect width="\\d+" height="\\d+" fill="${canvas}"`));
    expect(svg).toContain(`fill="${ink}"`);
    await expect(page.locator('phasor-figure')).toHaveAttribute('data-theme', colorScheme);
  });
}
