// What tests of the book do on its pages.
import { expect, type Page } from '@playwright/test';
import { address, watch } from './page.ts';

export const CHAPTER = 'book/order-matters/';

export const open = async (page: Page, path = CHAPTER) => {
  const problems = watch(page);
  await page.goto(`${address()}${path}`);
  return problems;
};
export const isReady = (page: Page, id: string) =>
  expect(page.locator(`#${id} phasor-figure`)).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
