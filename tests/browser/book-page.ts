// Helpers for tests of the book.
import type { Page } from '@playwright/test';
import { address, comesAlive, watch } from './page.ts';

export const CHAPTER = 'book/order-matters/';

export const open = async (page: Page, path = CHAPTER) => {
  const problems = watch(page);
  await page.goto(`${address()}${path}`);
  return problems;
};
export const isReady = (page: Page, id: string) => comesAlive(page.locator(`#${id} phasor-figure`));
