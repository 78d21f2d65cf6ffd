// Selections stay visible with the high-contrast colours of the system.
import { expect, type Locator, type Page, test } from '@playwright/test';
import { choose, open, serveSite, tiles } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 1000 } });

/** A screenshot of an element without hover, focus or animation. */
async function readStyle(page: Page, part: Locator): Promise<string> {
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  return (await part.screenshot({ animations: 'disabled' })).toString('base64');
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`selections are visible with forced colours on ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    const problems = await open(page);
    expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);

    for (const [group, name, otherName] of [
      ['Mask', 'causal', 'none'],
      ['Positional encoding', 'RoPE', 'ALiBi'],
    ] as const) {
      const choice = page.getByRole('radiogroup', { name: group }).locator('label', { hasText: name });
      await choose(page, group, name);
      const chosenStyle = await readStyle(page, choice);
      await choose(page, group, otherName);
      expect((await readStyle(page, choice)) === chosenStyle, `${group}: ${name} looks the same`).toBe(false);
    }

    // Hides arcs and stripes, which differ between words anyway.
    await page.locator('#sentence .drawing').evaluate((drawing: HTMLElement) => drawing.style.setProperty('visibility', 'hidden'));
    const word = tiles(page).nth(1);
    await word.click();
    const chosen = await readStyle(page, word);
    await tiles(page).nth(2).click();
    expect((await readStyle(page, word)) === chosen, 'a chosen word looks the same').toBe(false);
    expect(problems).toEqual([]);
  });
}

test('the open question is visible with forced colours on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ forcedColors: 'active' });
  await open(page);
  const rule = (name: RegExp) =>
    page.getByRole('tab', { name }).evaluate((tab) => {
      const { borderBottomColor, borderBottomWidth } = getComputedStyle(tab);
      return `${borderBottomColor} ${borderBottomWidth}`;
    });
  const [lit, closed] = [await rule(/^Attention/), await rule(/^Compare/)];
  expect(lit).not.toBe(closed);
  await page.getByRole('tab', { name: /^Compare/ }).click();
  await expect.poll(() => rule(/^Compare/)).toBe(lit);
});
