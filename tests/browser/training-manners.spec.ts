// Training in a page: hidden pages, phones, and the end of workers.
import { expect, type Page, test } from '@playwright/test';
import { address, serveSite } from './page.ts';
import { live } from './training.ts';

serveSite();
// A slow file that starts late: its tests run in parallel.
test.describe.configure({ mode: 'parallel' });

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

/** Starts the training of a figure, and waits until all of its workers have started. */
async function training(page: Page, kind: string, workers: number) {
  await page.goto(`${address()}gallery/${kind}/`);
  const figure = page.locator(`phasor-figure[kind="${kind}"]`);
  await expect(figure).toHaveAttribute('data-state', 'ready');
  await figure.getByRole('button', { name: /^Train( |$)/ }).click();
  await expect.poll(() => page.workers().length, { timeout: 30_000 }).toBe(1 + workers);
  return figure;
}

test('training pauses while the page is hidden and then continues', async ({ page }) => {
  test.setTimeout(400_000);
  const figure = await training(page, 'regression', 2);
  const message = () => live(figure);
  await expect.poll(message, { timeout: 30_000 }).toMatch(/step [1-9]\d* of/);
  await setHidden(page, true);
  await expect.poll(message).toMatch(/Paused while the page is hidden$/);
  // Steps that were already in progress are still counted.
  await page.waitForTimeout(1000);
  const initialMessage = await message();
  await page.waitForTimeout(1500);
  expect(await message()).toBe(initialMessage);
  await setHidden(page, false);
  await expect.poll(message, { timeout: 30_000 }).not.toBe(initialMessage);
  await expect.poll(message).toMatch(/step [1-9]\d* of/);
});

test('a phone trains one model at a time and the figure reports it', async ({ browser }) => {
  test.setTimeout(60_000);
  // A mobile context has a coarse pointer, which figures take for a phone.
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    serviceWorkers: 'block',
  });
  // Counts workers in the page, because the browser reports terminated ones with a delay.
  await context.addInitScript(() => {
    const workers = new Set<Worker>();
    const counts = Object.assign(window, { most: 0 });
    window.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        counts.most = Math.max(counts.most, workers.add(this).size);
      }
      override terminate(): void {
        workers.delete(this);
        super.terminate();
      }
    };
  });
  const page = await context.newPage();
  const figure = await training(page, 'race', 1);
  const text = () => live(figure);
  await expect.poll(text, { timeout: 30_000 }).toMatch(/one worker at a time/);
  await expect(figure.locator('.readout')).toHaveText(/^Step [1-9]\d*: /, { timeout: 30_000 });
  await figure.getByRole('button', { name: /^Stop$/ }).click();
  await expect(figure.getByRole('button', { name: 'Use another seed' })).toBeVisible({ timeout: 20_000 });
  // The worker of the engine and one trainer.
  expect(await page.evaluate(() => (window as unknown as { most: number }).most)).toBe(2);
  await context.close();
});

test('eight training runs end their workers and leak no nodes, listeners or memory', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto(`${address()}gallery/race/?encodings=none,rope`);
  const figure = page.locator('phasor-figure[kind="race"]');
  await expect(figure).toHaveAttribute('data-state', 'ready');
  /** Presses a button as soon as it is visible and the readout matches. Watches every frame, since training continues between polls. */
  const press = (button: string, readout = ''): Promise<void> =>
    figure.evaluate(
      (element, [name = '', pattern = '']) =>
        new Promise<void>((resolve) => {
          const check = (): void => {
            const root = element.shadowRoot as ShadowRoot;
            const match = [...root.querySelectorAll('button')].find(({ textContent }) => textContent.trim().startsWith(name));
            if (!(match?.checkVisibility() && new RegExp(pattern).test(root.querySelector('.readout')?.textContent ?? ''))) {
              requestAnimationFrame(check);
              return;
            }
            match.click();
            resolve();
          };
          check();
        }),
      [button, readout],
    );
  /** Trains until each line has a point, then stops and waits until the workers have ended. */
  const run = async (label = 'Use another seed'): Promise<void> => {
    await press(label);
    await press('Stop', '^Step [1-9]\\d*: ');
    await expect.poll(() => page.workers().length, { intervals: [50] }).toBe(1);
  };
  const session = await page.context().newCDPSession(page);
  const measureMemory = async () => {
    for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
    const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
    return { nodes, listeners: jsEventListeners, bytes: (await session.send('Runtime.getHeapUsage')).usedSize };
  };
  await run('Train');
  const repeatRuns = async (runs: number): Promise<void> => {
    for (let i = 0; i < runs; i += 1) await run();
  };
  await repeatRuns(2);
  const baseline = await measureMemory();
  const times = 8;
  await repeatRuns(times);
  // Less than one node and one listener per run. A trainer uses some megabytes of memory, and each run has four trainers.
  const compareMemory = async () => {
    const current = await measureMemory();
    return {
      nodes: current.nodes - baseline.nodes < times,
      listeners: current.listeners - baseline.listeners < times,
      bytes: current.bytes - baseline.bytes < 100_000 * times,
    };
  };
  await expect.poll(compareMemory, { timeout: 15_000 }).toEqual({ nodes: true, listeners: true, bytes: true });
});

for (const [kind, workers] of [
  ['race', 4],
  ['regression', 2],
  // One model is trained while another one is probed.
  ['probe', 2],
] as const)
  test(`removing a figure of kind ${kind} ends its workers`, async ({ page }) => {
    test.setTimeout(60_000);
    await training(page, kind, workers);
    await page.evaluate(() => document.querySelector('phasor-figure')?.remove());
    await expect.poll(() => page.workers().length, { timeout: 10_000 }).toBeLessThanOrEqual(1);
  });
