// "Save for offline": the saved file opens from disk in the state of the page.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Locator, type Page, type Route, test } from '@playwright/test';
import { address, badge, figure, lab, open, serveSite, words } from './page.ts';

serveSite();
const folder = mkdtempSync(join(tmpdir(), 'phasor-saved-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Presses the button and returns the URL of the saved file. */
async function saveFile(page: Page, button: Locator, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toBe(name);
  const path = join(folder, name);
  await download.saveAs(path);
  return pathToFileURL(path).href;
}

// The service worker starts some seconds after the page and would respond instead of the server.
test.use({ serviceWorkers: 'block' });

test('the Lab is saved with its sentence, encoding and question, and a missing file on the server is reported', async ({ page }) => {
  const state = '#v=3&text=A+%22dog%22+%26+%3Ccats%3E&order=1.0.2.3.4.5.6.7&encoding=alibi&mask=causal&question=position';
  await open(page, state);
  const initialWords = await words(page);
  const button = page.getByRole('button', { name: 'Save for offline' });
  const file = await saveFile(page, button, 'lab.html');
  await expect(page.getByText('Saved lab.html to Downloads. It opens offline.')).toBeVisible();
  // One route for all responses: between two routes, the server itself could respond.
  const responses: ((route: Route) => Promise<void>)[] = [
    (route) => route.fulfill({ status: 404, body: '' }),
    (route) => route.fulfill({ body: '<html lang="en"><body>Welcome!</body></html>' }),
    (route) => route.abort(),
  ];
  await page.route('**/offline/lab.html', (route) => (responses.shift() as (route: Route) => Promise<void>)(route));
  await button.click();
  await expect(page.getByText(/^offline\/lab\.html is missing on this server/)).toBeVisible();
  // The same message is already shown, so the test waits for the response.
  const response = page.waitForResponse('**/offline/lab.html');
  await button.click();
  await response;
  await expect(page.getByText(/^offline\/lab\.html is missing on this server/)).toBeVisible();
  await button.click();
  await expect(page.getByText(/^offline\/lab\.html could not be downloaded/)).toBeVisible();

  await page.goto(file);
  await expect(badge(page)).toHaveAttribute('data-encoding', 'alibi', { timeout: 20_000 });
  expect(await words(page)).toEqual(initialWords);
  expect(await figure(page, 'sentence').evaluate((element) => (element as unknown as { spec: { mask: string } }).spec.mask)).toBe('causal');
  expect(new URL(page.url()).hash).toBe(state);
  await expect(page.getByRole('button', { name: 'Save for offline' })).toHaveCount(0);
  // A state in the URL takes precedence over the saved one.
  await page.goto('about:blank');
  await page.goto(`${file}#v=1&encoding=rope`);
  await expect(badge(page)).toHaveAttribute('data-encoding', 'rope', { timeout: 20_000 });
});

test('the book is saved open at the current page, and a demo from the list of files', async ({ page }) => {
  await page.goto(`${address()}book/rotation/#all`);
  const book = await saveFile(page, page.getByRole('button', { name: 'Save the book for offline' }), 'book.html');
  await page.goto(`${address()}offline/`);
  const demo = await saveFile(page, page.locator('[data-save="rotary.html"]'), 'rotary.html');
  await page.goto(book);
  await expect(page.locator('#rotation--all phasor-figure')).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
  await expect(page.locator('#rotation--all')).toBeInViewport();
  await page.goto(demo);
  await expect(figure(page, 'rotation').first()).toHaveAttribute('data-state', 'ready', { timeout: 20_000 });
  await expect(page.locator('#state')).toContainText('Computed on this device');
});

test('the list of files has all 11 offline files, and each can be downloaded', async ({ page, request }) => {
  await page.goto(`${lab()}../offline/`);
  const names = await page
    .locator('table [data-save]')
    .evaluateAll((buttons) => buttons.map((element) => (element as HTMLElement).dataset.save as string));
  expect(names).toHaveLength(11);
  for (const name of names) expect((await request.get(`${address()}offline/${name}`)).ok(), name).toBe(true);
});
