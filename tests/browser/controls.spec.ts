// Controls: typed text is kept, and open sections stay open.
import { expect, type Page, test } from '@playwright/test';
import { badge, open, serveSite } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 1000 } });

const field = (page: Page, name: string) => page.locator(`input[name="${name}"]:not([type=range])`);
// Errors at the controls. A figure out of view keeps its own alert until it is near the viewport again.
const alert = (page: Page, sentence: RegExp) => page.locator('p[role="alert"][data-field]').filter({ hasText: sentence });
const hash = (page: Page) => new URL(page.url()).hash;

test('a number can be typed key by key, and is used as soon as it is valid', async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=rope&order=3.0.1.2');
  const base = field(page, 'base');
  const before = await badge(page).getAttribute('data-max-abs-diff');
  await base.click();
  await base.press('ControlOrMeta+a');
  for (const [key, expected] of [
    ['1', '1'],
    ['e', '1e'],
    ['6', '1e6'],
  ] as const) {
    await base.press(key);
    await expect(base).toHaveValue(expected);
    await expect(base).toHaveAttribute('aria-invalid', String(expected !== '1e6'));
  }
  await expect.poll(() => hash(page)).toContain('base:1000000');
  await expect.poll(() => badge(page).getAttribute('data-max-abs-diff')).not.toBe(before);
  await base.blur();
  await expect(base).toHaveValue('1000000');
  expect(problems).toEqual([]);
});

test('key presses before the next render are not lost', async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=rope&order=3.0.1.2&offset=5');
  const offset = field(page, 'positionOffset');
  await offset.evaluate((input: HTMLInputElement) => {
    for (let press = 0; press < 3; press += 1) input.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }));
  });
  await expect(offset).toHaveValue('8');
  await offset.focus();
  await offset.evaluate((input: HTMLInputElement) => {
    for (const text of ['1', '1e']) {
      input.value = text;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  });
  await expect(alert(page, /positionOffset: “1e” is not a number/)).toBeVisible();
  await expect(offset).toHaveValue('1e');
  await expect.poll(() => hash(page)).toMatch(/positionOffset=1$/);
  expect(problems).toEqual([]);
});

test('an invalid number stays in its field with a message, and the last value is kept', async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=rope&order=3.0.1.2&offset=5');
  const offset = field(page, 'positionOffset');
  await offset.focus();
  for (const [text, sentence] of [
    ['', /positionOffset: a number is missing \(−1,000,000 to 1,000,000\)\. Last valid value kept\./],
    ['-', /positionOffset: “-” is not a number/],
    ['1e', /positionOffset: “1e” is not a number/],
  ] as const) {
    await offset.press('ControlOrMeta+a');
    await offset.press('Delete');
    await offset.pressSequentially(text);
    await expect(offset).toHaveValue(text);
    await expect(alert(page, sentence)).toBeVisible();
    await expect(offset).toHaveAttribute('aria-invalid', 'true');
  }
  await offset.press('ControlOrMeta+a');
  await offset.pressSequentially('0.');
  await expect(offset).toHaveValue('0.');
  await expect(alert(page, /positionOffset/)).toHaveCount(0);
  await offset.press('ArrowUp');
  await expect(offset).toHaveValue('1');
  await expect.poll(() => hash(page)).toContain('positionOffset=1');
  await offset.press('ControlOrMeta+a');
  await offset.press('-');
  await expect(alert(page, /positionOffset/)).toBeVisible();
  await offset.blur();
  await expect(offset).toHaveValue('1');
  // Blurred before the field is rendered again.
  await offset.focus();
  await offset.evaluate((field: HTMLInputElement) => {
    field.value = '-';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    field.blur();
  });
  await expect(offset).toHaveValue('1');
  await expect(alert(page, /positionOffset/)).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('the section of more parameters stays open when one of them returns to its default', async ({ page }) => {
  await open(page, '#v=1&encoding=rope&order=3.0.1.2&params=scaling:yarn');
  const section = page.locator('details.more').filter({ hasText: 'more parameters' });
  await section.locator('summary').click();
  const beta = field(page, 'beta_fast');
  const defaultValue = await beta.inputValue();
  await beta.fill('16');
  await expect.poll(() => hash(page)).toContain('beta_fast:16');
  await beta.fill(defaultValue);
  await expect.poll(() => hash(page)).not.toContain('beta_fast');
  await expect(beta).toBeVisible();
  await expect(section).toHaveAttribute('open', '');
  // A section that the user closed stays closed.
  await section.locator('summary').click();
  await field(page, 'base').fill('5000');
  await expect.poll(() => hash(page)).toContain('base:5000');
  await expect(beta).toBeHidden();
});

test('on a phone, a collapsed section opens for an error and stays open when it is corrected', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '#v=1&encoding=rope&heads=5', { numbers: false });
  const heads = field(page, 'heads');
  await expect(alert(page, /heads: dim 64 is not divisible by 5; try 1, 2, 4/)).toBeVisible();
  // A field accepts input once its part of the page has loaded.
  await page.waitForFunction(() => customElements.get('ph-engine') && document.querySelector('ph-rail input'));
  await heads.fill('4');
  await expect(alert(page, /heads/)).toHaveCount(0);
  await expect(heads).toBeVisible();
});
