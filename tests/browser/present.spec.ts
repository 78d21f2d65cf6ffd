// Present: the share of the screen that the view has, and parts that must not cover it.
import { expect, test } from '@playwright/test';
import { open, serveSite } from './page.ts';

serveSite();

test('a long text takes at most 30% of the screen while presenting', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, `#v=1&encoding=alibi&question=attention&text=${Array(300).fill('lion').join('+')}`);
  await page.getByRole('button', { name: 'Present' }).click();
  await expect.poll(() => page.locator('#sentence .stage').evaluate((stage) => stage.clientHeight)).toBeLessThanOrEqual(0.3 * 720 + 1);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(720);
  const selectedTile = page.locator('#sentence .tile[aria-selected="true"]');
  await expect(selectedTile).toBeInViewport({ ratio: 1 });
  const [bottom, end] = await selectedTile.evaluate((tile) => [
    tile.getBoundingClientRect().bottom,
    tile.closest('.stage')?.getBoundingClientRect().bottom ?? 0,
  ]);
  expect(bottom).toBeLessThanOrEqual(end as number);
});

test('the line about the encoding is below the arcs of a longer sentence while presenting, not over them', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, '#v=1&encoding=rope&question=scores&text=my+kid+likes+the+movie+very+much');
  await page.getByRole('button', { name: 'Present' }).click();
  await expect(page.locator('.large[data-presented="wide"]')).toBeVisible();
  const [sentence, line] = await page.evaluate(() =>
    ['#sentence', '.presented'].map((name) => document.querySelector(name)?.getBoundingClientRect()),
  );
  expect(line?.top).toBeGreaterThanOrEqual(sentence?.bottom ?? Number.POSITIVE_INFINITY);
});
