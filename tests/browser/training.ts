// The progress of a figure that trains, and its buttons.
import { expect, type Locator } from '@playwright/test';

/** The training progress of a figure: "Live, trained here, seed 1: step 40 of 400". */
export const live = (figure: Locator): Promise<string> =>
  figure.evaluate((element) => /Live, trained here[^<]*/.exec((element as HTMLElement & { toSVG(): string }).toSVG())?.[0] ?? '');

export async function stopAfterSteps(figure: Locator): Promise<void> {
  await expect.poll(() => live(figure), { timeout: 30_000 }).toMatch(/step [1-9]\d* of/);
  await figure.getByRole('button', { name: /^Stop$/ }).click();
  await expect(figure.getByRole('button', { name: /Use another seed/ })).toBeVisible({ timeout: 30_000 });
}
