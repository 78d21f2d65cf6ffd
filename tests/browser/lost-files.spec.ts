// Files that fail to load: word vectors and WebAssembly. One request, one error message, and a button to retry.
import { expect, type Page, type Route, test } from '@playwright/test';
import { badge, lab, open, serveSite, words } from './page.ts';

serveSite();

const type = async (page: Page, text: string): Promise<void> => {
  const edit = page.getByRole('button', { name: 'Edit the sentence' });
  if (await edit.isVisible()) await edit.click();
  const box = page.getByRole('textbox', { name: /sentence/i });
  await box.selectText();
  await page.keyboard.type(text, { delay: 30 });
};

for (const [what, lose, why] of [
  ['are missing', (route: Route) => route.fulfill({ status: 404, body: '' }), /\(404( Not Found)?\)/],
  ['lose their connection', (route: Route) => route.abort('connectionreset'), /\(.*(fetch|NetworkError).*\)/],
] as const) {
  test(`word vectors that ${what} are requested once, and again with the retry button`, async ({ page }) => {
    await open(page, '#v=1&encoding=rope');
    const requests: string[] = [];
    page.on('request', (request) => /word-vectors/.test(request.url()) && requests.push(request.url()));
    await page.route('**/word-vectors*', lose);
    await type(page, 'river music doctor');
    await expect.poll(() => words(page)).toEqual(['river', 'music', 'doctor']);
    const sentence = page.getByRole('alert').filter({ hasText: /^Word vectors could not be loaded .*\. Try again$/ });
    await expect(sentence).toHaveCount(1);
    await expect(sentence).toHaveText(why);
    expect(requests).toHaveLength(1);
    await sentence.getByRole('button').click();
    await expect.poll(() => requests.length).toBe(2);
    await page.unroute('**/word-vectors*');
    await expect(page.getByText(/^dotted: not in the vocabulary/).first()).toBeVisible();
    await sentence.getByRole('button').click();
    await expect(sentence).toHaveCount(0);
    await expect(page.getByText(/^dotted: not in the vocabulary/)).toHaveCount(0);
    expect(requests).toHaveLength(4);
    expect(await words(page)).toEqual(['river', 'music', 'doctor']);
  });
}

test('a lost connection to the WebAssembly file is reported, and a button retries', async ({ page }) => {
  await page.route('**/*.wasm', (route) => route.abort('connectionreset'));
  await page.goto(`${lab()}#v=1&encoding=rope&order=3.0.1.2`);
  const sentence = page.locator('ph-story').getByRole('alert');
  await expect(sentence).toContainText(/^wasm: .*phasor-.*\.wasm could not be loaded \(/);
  await page.unroute('**/*.wasm');
  await sentence.getByRole('button', { name: 'Restart the engine' }).click();
  await expect(badge(page)).toHaveAttribute('data-max-abs-diff', /\d/);
  await expect(sentence).toHaveCount(0);
  expect(await words(page)).toEqual(['lion', 'Rohan', 'killed', 'the']);
});

test('loading the WebAssembly file times out after 30 s', async ({ page }) => {
  await page.clock.install();
  await page.route('**/*.wasm', () => {});
  await page.goto(`${lab()}#v=1&encoding=rope`);
  await page.clock.runFor(29_000);
  const sentence = page.locator('ph-story').getByRole('alert');
  await expect(sentence).toHaveCount(0);
  await expect
    .poll(async () => {
      // The 30 s begin with the request, which may be sent after the first 29 s.
      await page.clock.runFor(5000);
      return sentence.count();
    })
    .toBe(1);
  await expect(sentence).toContainText(/could not be loaded \(no response within 30 seconds/);
  await page.unroute('**/*.wasm');
  await sentence.getByRole('button', { name: 'Restart the engine' }).click();
  await expect
    .poll(async () => {
      await page.clock.runFor(1000);
      return badge(page).getAttribute('data-max-abs-diff');
    })
    .toMatch(/\d/);
});

test('the self-test passes, and reports a case that differs', async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=alibi');
  const check = page.locator('ph-check');
  const button = check.getByRole('button', { name: 'Run self-test' });
  await button.click();
  await expect(check.getByRole('status')).toHaveText(
    /^✓ passed: all \d{3} cases agree with the reference implementations: phasor \d+\.\d+\.\d+, WebAssembly SIMD, \d+\.\d s, in this browser: Mozilla/,
    { timeout: 60_000 },
  );
  expect(problems).toEqual([]);
  await page.route('**/golden-cases-*.json', async (route) => {
    const response = await route.fetch();
    const file = await response.json();
    const { outputs } = file.cases.find(({ method }: { method: string }) => method === 'sin_cos_pair');
    outputs.pe.data[1] += 1e-4;
    await route.fulfill({ response, json: file });
  });
  await button.click();
  await expect(check.getByRole('status')).toContainText(/^✗ failed: 1 of \d{3} cases differ from the reference implementations: phasor/, {
    timeout: 60_000,
  });
  await expect(check.getByRole('listitem')).toHaveText(/\(sin_cos_pair\): pe\[1\]: got .*, expected .*, allowed 0\.000001$/);
  await page.route('**/golden-cases-*.json', (route) => route.abort());
  await button.click();
  await expect(check.getByRole('status')).toHaveText(/^Self-test failed to run \(.+\)\.$/);
});
