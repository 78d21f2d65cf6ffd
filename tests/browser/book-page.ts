// Helpers for tests of the book.
import type { Page } from '@playwright/test';
import { address, collectProblems, waitUntilReady } from './page.ts';

export const CHAPTER = 'book/order-matters/';

export const open = async (page: Page, path = CHAPTER) => {
  const problems = collectProblems(page);
  await page.goto(`${address()}${path}`);
  return problems;
};
export const waitForFigure = (page: Page, id: string) => waitUntilReady(page.locator(`#${id} phasor-figure`));
