// Drags with a finger through the DevTools protocol; Playwright only taps.
import type { CDPSession, Page } from '@playwright/test';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export async function createFinger(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: Point) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
  return {
    down: (point: Point) => send('touchStart', point),
    async move(from: Point, to: Point) {
      for (let step = 1; step <= 12; step++) {
        await send('touchMove', { x: from.x + ((to.x - from.x) * step) / 12, y: from.y + ((to.y - from.y) * step) / 12 });
        await page.waitForTimeout(16);
      }
    },
    up: () => send('touchEnd'),
  };
}
