// Five users and their goals, starting at the front page. The actions of each (a click, a drag, a paste) are counted.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test';
import { address, serveSite, waitUntilReady, words } from './page.ts';
import { serve } from './static-server.ts';

serveSite();

class Actions {
  count = 0;
  async do(action: Promise<unknown>): Promise<void> {
    this.count += 1;
    await action;
  }
}

async function openFrontPage(page: Page): Promise<Actions> {
  // Without animations, every change is the result of an action.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(address());
  await waitUntilReady(page.locator('phasor-figure'));
  return new Actions();
}

const score = (figure: Locator): Promise<string | undefined> =>
  figure.evaluate((element) => {
    const svg = new DOMParser().parseFromString((element as HTMLElementTagNameMap['phasor-figure']).toSVG(), 'image/svg+xml');
    const size = (text: Element): number => Number(text.getAttribute('font-size'));
    return [...svg.querySelectorAll('text')].toSorted((a, b) => size(b) - size(a))[0]?.textContent ?? undefined;
  });

test('a student sees that the score stays while both hands move: 2 actions', async ({ page }) => {
  const actions = await openFrontPage(page);
  await actions.do(page.getByRole('link', { name: /RoPE in 15 minutes/ }).click());
  const figure = page.locator('#hands phasor-figure');
  await waitUntilReady(figure);
  await expect(figure.locator('.bar')).toBeInViewport();
  const initialScore = await score(figure);
  const box = (await figure.locator('.bar').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const dragBar = async () => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 150, y, { steps: 8 });
    await page.mouse.up();
  };
  await actions.do(dragBar());
  await expect(figure.locator('[aria-live]')).toHaveText(/Both moved; the score is unchanged/);
  expect(initialScore).toMatch(/^−?\d\.\d\d$/);
  expect(await score(figure)).toBe(initialScore);
  expect(actions.count).toBeLessThanOrEqual(2);
});

test('a lecturer presents ALiBi and RoPE on the first example: 6 actions', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const actions = await openFrontPage(page);
  await actions.do(page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Lab' }).click());
  const encoding = (name: string) => page.getByRole('radio', { name, exact: true });
  for (const name of ['ALiBi', 'RoPE']) {
    await actions.do(encoding(name).check({ force: true }));
    await expect(page.getByTestId('badge')).toHaveAttribute('data-encoding', name.toLowerCase());
    await actions.do(page.getByRole('button', { name: 'Add to slides' }).click());
  }
  await actions.do(page.getByRole('button', { name: 'Present' }).click());
  await expect(page.getByText('2 / 2', { exact: true })).toBeVisible();
  // The last “be” attends to the word after the previous “be”, entirely with RoPE and less with ALiBi.
  const word = page.locator('#sentence').getByRole('option', { name: 'or' });
  await expect(word).toHaveText('or100%');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('badge')).toHaveAttribute('data-encoding', 'alibi');
  await expect(word).toHaveText('or87%');
  expect(actions.count).toBeLessThanOrEqual(6);
});

test('a researcher reads the convention of a model: 2 actions', async ({ page }) => {
  const actions = await openFrontPage(page);
  await actions.do(page.getByRole('link', { name: /What does my model do\?/ }).click());
  const dialog = page.getByRole('dialog', { name: 'Paste a config.json' });
  await expect(dialog).toBeVisible();
  const config = {
    model_type: 'qwen2',
    hidden_size: 896,
    num_attention_heads: 14,
    num_key_value_heads: 2,
    rope_theta: 1e6,
    max_position_embeddings: 32768,
  };
  await actions.do(dialog.getByRole('textbox', { name: 'config.json' }).fill(JSON.stringify(config)));
  await expect(dialog).toContainText('half_split');
  await expect(dialog).toContainText('1000000');
  expect(actions.count).toBe(2);
});

test('a developer gets a live figure on an empty page: 2 actions and a paste', async ({ page, context, browserName }) => {
  // The snippet refers to the server of the page, which must allow other origins.
  const site = await serve({ '/': join(process.cwd(), 'dist/site') }, { isPublic: true });
  const folder = mkdtempSync(join(tmpdir(), 'phasor-story-'));
  try {
    await allowClipboard(context, browserName);
    await page.goto(`${site.origin}/`);
    const actions = new Actions();
    await actions.do(page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Code' }).click());
    const program = page.locator('.code').filter({ hasText: '<phasor-figure' }).first();
    await actions.do(program.getByRole('button', { name: 'Copy' }).click());
    await expect(program.getByRole('button')).toHaveText('Copied');
    writeFileSync(join(folder, 'empty.html'), await page.evaluate(() => navigator.clipboard.readText()));
    await page.goto(`file://${join(folder, 'empty.html')}`);
    await expect(page.locator('phasor-figure')).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
    expect(actions.count).toBe(2);
  } finally {
    site.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

const allowClipboard = async (context: BrowserContext, browserName: string): Promise<void> => {
  if (browserName === 'chromium') await context.grantPermissions(['clipboard-read', 'clipboard-write']);
};

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a visitor sees the prediction follow a moved word and degrade without positions: 2 actions', async ({ page }) => {
    const actions = await openFrontPage(page);
    await expect(page.locator('.verdict')).toHaveText('“be”, 100%. It came after “to” the last time.');
    await actions.do(page.getByRole('button', { name: 'Move “or”' }).tap());
    await expect(page.locator('.verdict')).toHaveText('“or”, 100%. It came after “to” the last time.');
    await actions.do(page.getByRole('radio', { name: /^No position/ }).tap());
    await expect(page.locator('.verdict')).toHaveText(
      /^“\w+”, [1-5]\d%\. Without positions the model reads the words, but hardly their order\.$/,
    );
    expect(await words(page)).toEqual(['to', 'or', 'be', 'not', 'to']);
    await expect(page.locator('.verdict')).toBeInViewport();
    expect(actions.count).toBe(2);
  });
});
