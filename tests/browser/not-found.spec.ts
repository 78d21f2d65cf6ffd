// The 404 page, as a static host serves it: at any depth, under any path.
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serve } from './static-server.ts';

for (const prefix of ['/', '/some/where/']) {
  test(`the 404 page of a site at ${prefix} has working links and search`, async ({ page }) => {
    const site = await serve({ [prefix]: join(process.cwd(), 'dist/site') }, { notFound: join(process.cwd(), 'dist/site/404.html') });
    try {
      const result = await page.goto(`${site.origin}${prefix}book/no/such/page.html`);
      expect(result?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no page at this address');
      const book = page.getByRole('main').getByRole('link', { name: 'The book' });
      await expect(book).toHaveAttribute('href', `${prefix}book/`);
      await page.getByRole('searchbox').fill('how does rope work');
      const firstLink = page.locator('.found a').first();
      await expect(firstLink).toContainText('What if the position turned the word?');
      await firstLink.click();
      await expect(page).toHaveURL(`${site.origin}${prefix}book/rotation/`);
      await page.goBack();
      // The page does not know its depth before its script runs.
      await expect(book).toHaveAttribute('href', `${prefix}book/`);
      await book.click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Position in transformers');
    } finally {
      site.close();
    }
  });
}
