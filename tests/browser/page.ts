// Serves the built site under a deep path, and performs user actions on its page.
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { serve } from './static-server.ts';

let host: Awaited<ReturnType<typeof serve>>;

/** Serves the site while the tests of the calling file run. */
export function serveSite(): void {
  test.beforeAll(async () => {
    host = await serve({ '/any/base/path/': join(process.cwd(), 'dist/site') });
  });
  test.afterAll(() => host.close());
}

export const address = () => `${host.origin}/any/base/path/`;
export const lab = () => `${address()}lab/`;

export const badge = (page: Page) => page.getByTestId('badge');
export const maxAbsDiff = async (page: Page) => Number(await badge(page).getAttribute('data-max-abs-diff'));
/** The tiles of the sentence, without the options of drop-down lists. */
export const tiles = (page: Page) => page.getByRole('listbox').getByRole('option');
/** The words in visual order. Their order in the document may differ while a word is moved, so that it keeps the focus. */
export const words = (page: Page) =>
  tiles(page).evaluateAll((elements) =>
    elements.sort((a, b) => Number(a.ariaPosInSet) - Number(b.ariaPosInSet)).map((tile) => tile.ariaLabel),
  );
export const figure = (page: Page, kind: string) => page.locator(`phasor-figure[kind="${kind}"]`);
export const choose = (page: Page, group: string, name: string | RegExp) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name }).click();

/** The warning of Playwright when it blocks the service worker (playwright.config.ts). */
const NO_COPY = 'Service Worker registration blocked by Playwright';

/** Reports violations of the content security policy as console errors. */
const reportViolations = (page: Page): Promise<unknown> =>
  page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      console.error(`the policy forbids ${effectiveDirective} ${blockedURI} ${sample}`),
    ),
  );

/** The default state of version 1 links: “Rohan killed the lion”. */
const FIRST = '#v=1';

/** Opens the Lab, waits for its first result, and collects errors, warnings and requests to other hosts. */
export async function open(page: Page, hash = FIRST, { numbers = true } = {}) {
  const problems: string[] = [];
  await reportViolations(page);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/^(error|warning)$/.test(message.type()) && message.text() !== NO_COPY) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(host.origin) && !/^(blob|data):/.test(request.url())) problems.push(`requests ${request.url()}`);
  });
  await page.goto(`${lab()}${hash}`);
  if (numbers) await expect(badge(page)).toHaveAttribute('data-max-abs-diff', /\d/);
  // These elements load after the first picture.
  if (numbers) await page.waitForFunction(() => customElements.get('ph-engine') && document.querySelector('ph-rail input'));
  return problems;
}

/** Moves the pointer over a figure, which loads the figures of the page. */
export const hover = (figure: Locator): Promise<void> => figure.dispatchEvent('pointerover');

/** Moves the pointer over a figure and waits until it is computed. */
export async function waitUntilReady(figure: Locator): Promise<void> {
  await hover(figure);
  await expect(figure).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
}

/** Collects errors of the page and its requests to other hosts. */
export function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(address()).origin) && !/^(blob|data):/.test(request.url()))
      problems.push(`requests ${request.url()}`);
  });
  return problems;
}

/** Makes access to localStorage fail, as if the browser blocked it. */
export const forbidStorage = (page: Page): Promise<unknown> =>
  page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('no', 'SecurityError');
      },
    }),
  );

/** Makes writing to storage fail, as if it were full; reading still works. */
export const fillStorage = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('no room', 'QuotaExceededError');
    };
  });

/** Runs axe with all rules or the given ones, and returns each violated rule with its elements. */
export async function violations(page: Page, rules?: string[]): Promise<[string, string[]][]> {
  // Legacy mode needs no second page to collect results of frames; with a list of violations only, it saves most of the time of a run.
  // axe reads no MathML, which is a third of the elements of a chapter.
  const axe = new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], iframes: false })
    .exclude('math');
  const { violations: results } = await (rules ? axe.withRules(rules) : axe).analyze();
  // axe takes a table header with only a formula for an empty one.
  const isFormula = (id: string, html: string): boolean => id === 'empty-table-header' && html.includes('<math');
  return results
    .map(({ id, nodes }): [string, string[]] => [id, nodes.map((node) => node.html).filter((html) => !isFormula(id, html))])
    .filter(([, nodes]) => nodes.length > 0);
}

export async function dragWord(page: Page, from: string, to: string) {
  await page.getByRole('option', { name: from }).scrollIntoViewIfNeeded();
  const source = await page.getByRole('option', { name: from }).boundingBox();
  const target = await page.getByRole('option', { name: to }).boundingBox();
  if (!source || !target) throw new Error('a word is not on the page');
  await page.mouse.move(source.x + source.width / 2, source.y + source.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 12 });
  await page.mouse.up();
}
