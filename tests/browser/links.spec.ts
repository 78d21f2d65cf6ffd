// Links with invalid parts: the page reports them and shows the rest.
import { expect, type Page, test } from '@playwright/test';
import { badge, open, serveSite } from './page.ts';

serveSite();

const alert = (page: Page, sentence: RegExp) => page.getByRole('alert').filter({ hasText: sentence });

for (const [part, sentence] of [
  ['params=layout:diagonal', /In this link layout is “diagonal”, which is not interleaved or half_split; the default is used instead\./],
  ['params=base:many', /In this link base is “many”, which is not a number/],
  ['params=nonsense:3', /In this link nonsense is not a parameter of rope; it is ignored\./],
  ['mask=left', /In this link mask is “left”, which is not none or causal/],
] as const) {
  test(`an invalid ${part} in a link is reported, the rest is shown, and the link is unchanged`, async ({ page }) => {
    const hash = `#v=1&encoding=rope&order=3.0.1.2&${part}`;
    const problems = await open(page, hash);
    await expect(alert(page, sentence)).toBeVisible();
    await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
    await expect(page.getByRole('radiogroup', { name: 'layout' }).getByRole('radio', { checked: true })).toHaveValue('interleaved');
    await page.waitForTimeout(600);
    expect(new URL(page.url()).hash).toBe(hash);

    await page.evaluate(() => {
      location.hash = '#v=1&encoding=alibi';
    });
    await expect(badge(page)).toHaveAttribute('data-encoding', 'alibi');
    await expect(alert(page, sentence)).toHaveCount(0);
    await page.evaluate((link) => {
      location.hash = link;
    }, hash);
    await expect(alert(page, sentence)).toBeVisible();
    await expect(badge(page)).toHaveAttribute('data-encoding', 'rope');
    expect(problems).toEqual([]);
  });
}

test('invalid figure fields in a link are reported above the figure', async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=rope&question=scores&figures=rotation.pair:99,rotation.foo:9');
  await expect(alert(page, /“rotation\.foo” is not a field of this figure; it is ignored\./)).toBeVisible();
  await expect(alert(page, /rotation\.pair is “99”, but the pairs are numbered 0 to 7; pair 7 is shown\./)).toBeVisible();
  expect(problems).toEqual([]);
});

for (const name of ['constructor', 'toString', '__proto__']) {
  test(`an encoding called ${name} is unknown and has no description`, async ({ page }) => {
    const problems = await open(page, `#v=1&encoding=${name}`, { numbers: false });
    await expect(alert(page, new RegExp(`encoding: "${name}" is unknown`))).toBeVisible();
    await expect(badge(page)).toHaveText('no results for this setting');
    await expect(page.locator('ph-about')).toBeEmpty();
    expect(problems).toEqual([]);
  });
}
