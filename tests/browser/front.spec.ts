// The front page: a sentence that is alive, three doors, and links that were made when the Lab stood here.
import { expect, test } from '@playwright/test';
import { address, badge, comesAlive, dragWord, serveSite, violations, watch, words } from './page.ts';

serveSite();

test('the sentence is alive, and asks nobody else for anything', async ({ page }) => {
  const problems = watch(page);
  await page.goto(address());
  await comesAlive(page.locator('phasor-figure'));
  await dragWord(page, 'lion', 'Rohan');
  await expect.poll(() => words(page)).toEqual(['lion', 'Rohan', 'killed', 'the']);
  expect(problems).toEqual([]);
});

test('every kind of page keeps its own policy, which refuses what is not of the site', async ({ page }) => {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      refused.push(`${effectiveDirective} ${blockedURI}`),
    );
  });
  const refused = () => page.evaluate(() => (window as unknown as { refused: string[] }).refused);
  for (const path of ['', 'lab/', 'book/sinusoids/', 'book/encodings/rope/', 'developers/', 'gallery/']) {
    await page.goto(`${address()}${path}`);
    await comesAlive(page.locator('phasor-figure').first());
    expect(await refused(), path).toEqual([]);
  }
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<p style="color: red" onclick="1">a</p>');
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' }));
    void fetch('https://example.invalid/').catch(() => {});
  });
  await expect
    .poll(async () => (await refused()).map((one) => one.split(' ')[0]).sort())
    .toEqual(expect.arrayContaining(['connect-src', 'script-src-elem', 'style-src-attr']));
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
});

for (const [name, heading] of [
  ['The book', 'Position in transformers'],
  ['For developers', 'How do I use Phasor in my own code?'],
  ['The Lab', 'Phasor the Lab'],
] as const) {
  test(`the door "${name}" leads there`, async ({ page }) => {
    await page.goto(address());
    await page.locator('.doors').getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  });
}

test('a link that was made when the Lab stood here opens the Lab with its state', async ({ page }) => {
  await page.goto(`${address()}#v=1&order=3.0.1.2&encoding=rope`);
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
  await expect(page).toHaveURL(/\/lab\/#v=1&order=3\.0\.1\.2&encoding=rope$/);
});

for (const [width, colorScheme] of [
  [1440, 'light'],
  [390, 'dark'],
] as const) {
  test(`axe finds nothing: ${colorScheme}, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const path of ['', 'developers/']) {
      await page.goto(`${address()}${path}`);
      await comesAlive(page.locator('phasor-figure').first());
      expect(await violations(page), path).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
}
