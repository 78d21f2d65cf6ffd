// Figures release their memory when removed and do no work while idle.
import { expect, type Page, test } from '@playwright/test';
import type { PhasorFigureElement } from '../../web/figure/contract/element-types.ts';
import { figure, ready, serveStrangers, visit } from './stranger.ts';

serveStrangers();

/** Counts the nodes, event listeners and heap bytes that remain after garbage collection. */
async function measureMemory(page: Page): Promise<{ nodes: number; listeners: number; bytes: number }> {
  const session = await page.context().newCDPSession(page);
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return { nodes, listeners: jsEventListeners, bytes: usedSize };
}

test('a thousand removed figures leave no nodes, listeners or memory behind', async ({ page }) => {
  test.setTimeout(400_000);
  const problems = await visit(page, { body: `${figure('id="stays" length="4"')}<div id="room"></div>` });
  await ready(page);
  /** Adds and removes figures in batches of 20; half of them are in groups, and only the first is awaited. */
  const mountFigures = (count: number) =>
    page.evaluate(async (count) => {
      const container = document.querySelector('#room') as HTMLElement;
      for (let done = 0; done < count; done += 20) {
        for (let index = 0; index < 20; index += 1) {
          const element = document.createElement('phasor-figure');
          for (const [name, value] of Object.entries({
            kind: 'similarity',
            length: '4',
            dim: '4',
            'position-offset': String(done + index),
          }))
            element.setAttribute(name, value);
          if (index % 2) element.setAttribute('group', `g${index % 5}`);
          container.append(element);
        }
        await (container.firstElementChild as PhasorFigureElement).ready;
        container.replaceChildren();
        await new Promise(requestAnimationFrame);
      }
    }, count);
  await mountFigures(100);
  const baseline = await measureMemory(page);
  await mountFigures(1000);
  // Pending responses of the worker are released when they arrive. One figure holds about 30 kB, so a thousand would hold 30 MB.
  const compareMemory = async () => {
    const current = await measureMemory(page);
    return {
      nodes: current.nodes <= baseline.nodes + 20,
      listeners: current.listeners <= baseline.listeners + 5,
      bytes: current.bytes - baseline.bytes < 3_000_000,
    };
  };
  await expect.poll(compareMemory, { timeout: 15_000 }).toEqual({ nodes: true, listeners: true, bytes: true });
  expect(problems).toEqual([]);
});

test('sixty idle figures request no frames, set no timers and change nothing; those outside the viewport are not computed', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const calls: string[] = [];
    Object.assign(window, { calls });
    for (const name of ['requestAnimationFrame', 'setTimeout', 'setInterval', 'requestIdleCallback'] as const) {
      const original = window[name] as (...args: unknown[]) => number;
      Object.assign(window, {
        [name]: (...args: unknown[]) => {
          calls.push(name);
          return original.apply(window, args);
        },
      });
    }
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
      calls.push('postMessage');
      return (post as (...all: unknown[]) => void).apply(this, args);
    };
  });
  await visit(page, {
    body: Array.from({ length: 60 }, (_, index) => figure(`length="16" position-offset="${index}" group="g"`)).join(''),
  });
  // The first two are near the viewport; figures compute one after the other, so the second may start late.
  await expect(page.locator('phasor-figure').nth(1)).toHaveAttribute('data-state', 'ready');
  await expect.poll(() => page.locator('phasor-figure[data-state=computing]').count()).toBe(0);
  const idle = await page.locator('phasor-figure[data-state=idle]').count();
  expect(idle).toBeGreaterThan(50);
  await page.waitForTimeout(500);
  const counts = await page.evaluate(async () => {
    const { calls } = window as unknown as { calls: string[] };
    const messageCount = calls.filter((name) => name === 'postMessage').length;
    let changes = 0;
    for (const element of document.querySelectorAll('phasor-figure')) {
      const observer = new MutationObserver((list) => {
        changes += list.length;
      });
      const options = { attributes: true, childList: true, characterData: true, subtree: true };
      observer.observe(element, options);
      if (element.shadowRoot) observer.observe(element.shadowRoot, options);
    }
    calls.length = 0;
    // A separate worker waits, so that this page needs no timer.
    await new Promise((resolve) => {
      const worker = new Worker(URL.createObjectURL(new Blob(['setTimeout(() => postMessage(0), 1500)'])));
      worker.onmessage = resolve;
    });
    return { asked: messageCount, calls: [...calls], changes };
  });
  expect(counts.calls).toEqual([]);
  expect(counts.changes).toBe(0);
  // The start, and three calls for each visible figure and for one that was visible before those above it had their height.
  expect(counts.asked).toBeLessThanOrEqual(1 + 3 * (60 - idle + 1));

  await page.locator('phasor-figure').first().locator('.picture').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('phasor-figure').nth(1).locator('.readout')).toContainText('Positions 1 and 1');
  expect(await page.locator('phasor-figure[data-state=idle]').count()).toBe(idle);
});

test('the engine stops after the last figure is removed and starts again with the next', async ({ page }) => {
  await page.clock.install();
  await visit(page, { body: figure('length="4"') });
  await ready(page);
  expect(page.workers().length).toBe(1);
  await page.evaluate(() => document.body.replaceChildren());
  await page.clock.runFor(4000);
  expect(page.workers().length).toBe(1);
  await page.clock.runFor(2000);
  await expect.poll(() => page.workers().length).toBe(0);
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), figure('length="5"'));
  await ready(page);
  expect(page.workers().length).toBe(1);
});
