// The look of the Lab, as far as it can be measured: labels that do not overlap, parts that stay visible, sizes in Present.
import { existsSync, readdirSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import type { Placement } from '../../web/figure/contract/placement.ts';
import { badge, dragWord, open, serveSite, words } from './page.ts';

serveSite();

const SHOWN: readonly (readonly [string, readonly string[]])[] = [
  ['sinusoidal', ['position/table', 'position/clocks', 'position/requirements', 'compare/combine']],
  [
    'rope',
    ['scores/rotation', 'scores/chain', 'attention/attention', 'attention/change', 'compare/compare', 'reach/frequencies', 'reach/points'],
  ],
  ['alibi', ['scores/bias', 'scores/curve']],
];

async function show(page: Page, encoding: string, place: string): Promise<void> {
  const [question, view] = place.split('/');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `v=1&encoding=${encoding}&question=${question}&view=${view}`);
  const figure = page.locator(`.large phasor-figure[kind="${view}"]`);
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await expect(badge(page)).toHaveAttribute('data-encoding', encoding);
}

/** All views with an encoding that they show, sorted by question. */
async function everyView(): Promise<(readonly [encoding: string, place: string])[]> {
  const kinds = new URL('../../web/figure/kinds/', import.meta.url);
  const views = await Promise.all(
    readdirSync(kinds)
      .filter((kind) => existsSync(new URL(`${kind}/placement.ts`, kinds)))
      .map(async (kind) => ({
        kind,
        ...((await import(`../../web/figure/kinds/${kind}/placement.ts`)) as { placement: Placement }).placement,
      })),
  );
  return views
    .map(({ kind, question, needs }) => {
      const encoding = needs === 'table' || needs === 'waves' ? 'sinusoidal' : needs === 'bias' ? 'alibi' : 'rope';
      return [encoding, `${question}/${kind}`] as const;
    })
    .sort(([, a], [, b]) => a.localeCompare(b));
}

/** The smallest text of the large figure: its size on the screen in px, and its content. */
const smallest = (page: Page): Promise<[number, string]> =>
  page.locator('.large phasor-figure').evaluate((figure) => {
    const svg = new DOMParser().parseFromString((figure as HTMLElementTagNameMap['phasor-figure']).toSVG(), 'image/svg+xml');
    const host = figure.shadowRoot?.querySelector<HTMLElement>('.surface') as HTMLElement;
    const scale = host.getBoundingClientRect().width / host.offsetWidth;
    return [...svg.querySelectorAll('text')]
      .filter(({ textContent }) => textContent?.trim())
      .map((text): [number, string] => [Number(text.getAttribute('font-size')) * scale, text.textContent as string])
      .sort(([a], [b]) => a - b)[0] as [number, string];
  });

/** Labels of the large figure that leave the picture or overlap. Rotated labels are not included. */
const faults = (page: Page): Promise<string[]> =>
  page.locator('.large phasor-figure').evaluate((figure) => {
    const host = document.createElement('div');
    host.innerHTML = (figure as HTMLElementTagNameMap['phasor-figure']).toSVG();
    document.body.append(host);
    const svg = host.querySelector('svg') as SVGSVGElement;
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll('text')]
      .filter((text) => text.textContent?.trim() && !text.hasAttribute('transform'))
      .map((text) => ({ text: text.textContent as string, box: text.getBoundingClientRect() }));
    const problems = labels
      .filter(
        ({ box }) => box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 3 || box.bottom > frame.bottom + 3,
      )
      .map(({ text }) => `“${text}” leaves the picture`);
    labels.forEach((label, index) => {
      for (const otherLabel of labels.slice(index + 1)) {
        const overlapX = Math.min(label.box.right, otherLabel.box.right) - Math.max(label.box.left, otherLabel.box.left);
        const overlapY = Math.min(label.box.bottom, otherLabel.box.bottom) - Math.max(label.box.top, otherLabel.box.top);
        // The box of a text is higher than its glyphs.
        if (overlapX > 1 && overlapY > 5) problems.push(`“${label.text}” covers “${otherLabel.text}”`);
      }
    });
    host.remove();
    return problems;
  });

for (const width of [1440, 390]) {
  test(`no label leaves its figure or covers another at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await open(page, '#v=1');
    for (const [encoding, positions] of SHOWN)
      for (const place of positions) {
        await show(page, encoding, place);
        expect(await faults(page), `${place} of ${encoding}`).toEqual([]);
      }
  });
}

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
  [390, 844],
  [360, 740],
] as const) {
  test(`sentence, encoding, story, badge and readout stay visible at ${width} x ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await open(page, '#v=1&encoding=rope&question=scores');
    for (const part of ['#sentence', '.group .choice:has(:checked)', '.story', '.badge', 'ph-readout .readout'])
      await expect(page.locator(part), part).toBeInViewport({ ratio: 1 });
    await expect(page.locator('.large .question')).toBeInViewport({ ratio: 1 });
    await page.evaluate(() => scrollTo(0, 700));
    await expect(page.locator('.strip')).toBeVisible();
    for (const part of ['.strip-words', '.strip-encoding', '.strip-badge', ...(width > 860 ? ['.strip-readout'] : [])])
      await expect(page.locator(part), part).toBeInViewport({ ratio: 1 });
    // The strip does not cover the focused element.
    await page.locator('.large phasor-figure').getByText('Export').focus();
    await page.keyboard.press('Shift+Tab');
    const [top, strip] = await page.evaluate(() => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      return [active?.getBoundingClientRect().top ?? 0, document.querySelector('.strip')?.getBoundingClientRect().bottom ?? 0];
    });
    expect(top).toBeGreaterThanOrEqual(strip);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

for (const [width, height] of [
  [1366, 768],
  [390, 844],
] as const) {
  test(`the picture, the encoding buttons and the config.json button are on the first screen at ${width} x ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await open(page);
    await expect(page.locator('.large phasor-figure')).toHaveAttribute('data-state', 'ready');
    // The question bar of a phone covers the bottom of the window.
    const [top, bottom] = await page
      .locator('.large .picture')
      .evaluate((picture) => [picture.getBoundingClientRect().top, document.querySelector('.questions')?.getBoundingClientRect().top ?? 0]);
    expect(top).toBeLessThan(Math.min(height, width > 860 ? height : (bottom as number)) - 150);
    await expect(page.locator('.group .choice').first()).toBeInViewport({ ratio: 1 });
    expect(
      await page
        .locator('.group .choice span')
        .nth(1)
        .evaluate((button) => getComputedStyle(button).borderTopWidth),
    ).toBe('1px');
    for (const name of ['Paste a config.json', /New to RoPE\?/])
      await expect(page.getByRole('button', { name }).first()).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('link', { name: 'Book' })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}

test('fixed bars take at most 15% of a phone in landscape, and of a window at 200% zoom', async ({ page }) => {
  for (const [width, height] of [
    [844, 390],
    [683, 384],
  ] as const) {
    await page.setViewportSize({ width, height });
    await open(page, '#v=1&encoding=rope&order=3.0.1.2');
    await page.evaluate(() => scrollTo(0, 700));
    await expect(page.locator('.strip')).toBeVisible();
    const taken = await page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((element) => /fixed|sticky/.test(getComputedStyle(element).position))
        .map((element) => element.getBoundingClientRect())
        .filter(({ bottom, top }) => bottom > 0 && top < innerHeight)
        .reduce((sum, box) => sum + box.height, 0),
    );
    expect(taken, `${width} x ${height}`).toBeLessThanOrEqual(0.15 * height);
    await page.goto('about:blank');
  }
});

test('presented views fit in 1280 x 720 without scrolling, with text of at least 18 px', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, '#v=1');
  await page.getByRole('button', { name: 'Present' }).click();
  for (const [encoding, place] of await everyView()) {
    await show(page, encoding, place);
    const figure = page.locator('.large phasor-figure');
    // A picture that does not fit is scaled down with its text.
    await expect.poll(async () => (await smallest(page))[0], place).toBeGreaterThanOrEqual(17.9);
    expect(await faults(page), place).toEqual([]);
    const bottom = () => figure.evaluate((element) => element.getBoundingClientRect().bottom);
    await expect.poll(bottom, place).toBeLessThanOrEqual(720);
    const root = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
    expect(root, place).toEqual([1280, 720]);
    // A view as wide as the window leaves only two lines above it.
    const isWide = (await page.locator('.large[data-presented="wide"]').count()) > 0;
    for (const part of ['#sentence', '.presented-encoding', '.see p', ...(isWide ? [] : ['.story', '.badge', '.readout'])])
      await expect(page.locator(part).first(), part).toBeInViewport({ ratio: 1 });
  }
  await page.locator('.large phasor-figure').getByText('Export').click();
  await expect(page.locator('.large phasor-figure').getByRole('button', { name: 'SVG' })).toBeInViewport();
  // A larger screen scales everything up, and a word is still dropped at the pointer.
  // A full-screen window cannot be resized, so Present is left first.
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.getByRole('button', { name: 'Present' }).click();
  await expect.poll(async () => (await smallest(page))[0]).toBeGreaterThanOrEqual(26.9);
  await dragWord(page, 'lion', 'killed');
  expect(await words(page)).toEqual(['Rohan', 'lion', 'killed', 'the']);
  await page.keyboard.press('Escape');
  await expect(page.locator('ph-editor')).toBeVisible();
});

test('a token longer than the window does not widen the page', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, `#v=1&text=a+lion+${'x'.repeat(600)}`);
  await expect(page.locator('ph-readout')).toContainText('xxx');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1440);
  await page.evaluate(() => scrollTo(0, 500));
  await expect(page.locator('.strip')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1440);
});
