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
/** The page of the Lab. */
export const lab = () => `${address()}lab/`;

export const badge = (page: Page) => page.getByTestId('badge');
export const maxAbsDiff = async (page: Page) => Number(await badge(page).getAttribute('data-max-abs-diff'));
/** The tiles of the sentence; drop-down lists have options too. */
export const tiles = (page: Page) => page.getByRole('listbox').getByRole('option');
/** The words by place. Tiles stay where they are in the document, so that a word that is moved keeps the focus. */
export const words = (page: Page) =>
  tiles(page).evaluateAll((found) => found.sort((a, b) => Number(a.ariaPosInSet) - Number(b.ariaPosInSet)).map((tile) => tile.ariaLabel));
/** The figure of a kind on the page. */
export const figure = (page: Page, kind: string) => page.locator(`phasor-figure[kind="${kind}"]`);
export const choose = (page: Page, group: string, name: string | RegExp) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name }).click();

/** What Playwright says where the page would keep a copy of the site (playwright.config.ts). */
const NO_COPY = 'Service Worker registration blocked by Playwright';

/** Has the page report what its policy for content forbids as an error. */
const sayViolations = (page: Page): Promise<unknown> =>
  page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      console.error(`the policy forbids ${effectiveDirective} ${blockedURI} ${sample}`),
    ),
  );

/** What the page showed at first when the first links were made: “Rohan killed the lion”. */
const FIRST = '#v=1';

/** Opens the page, waits for its first number, and collects its errors, warnings and requests to other hosts. */
export async function open(page: Page, hash = FIRST, { numbers = true } = {}) {
  const problems: string[] = [];
  await sayViolations(page);
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (/^(error|warning)$/.test(message.type()) && message.text() !== NO_COPY) problems.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(host.origin) && !/^(blob|data):/.test(request.url())) problems.push(`requests ${request.url()}`);
  });
  await page.goto(`${lab()}${hash}`);
  if (numbers) await expect(badge(page)).toHaveAttribute('data-max-abs-diff', /\d/);
  // What comes after the first picture: the last of the elements, and what is written about encodings.
  if (numbers) await page.waitForFunction(() => customElements.get('ph-engine') && document.querySelector('ph-rail input'));
  return problems;
}

/** What a reader does who reaches for a figure of a page of text: figures come alive. */
export const reachFor = (figure: Locator): Promise<void> => figure.dispatchEvent('pointerover');

/** Settled when a figure that somebody reaches for is computed. */
export async function comesAlive(figure: Locator): Promise<void> {
  await reachFor(figure);
  await expect(figure).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
}

/** Errors of the page and its requests to other hosts, as they come. */
export function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(address()).origin) && !/^(blob|data):/.test(request.url()))
      problems.push(`requests ${request.url()}`);
  });
  return problems;
}

/** Has the browser forbid the page to store anything. */
export const forbidStorage = (page: Page): Promise<unknown> =>
  page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('no', 'SecurityError');
      },
    }),
  );

/** The storage of the site takes nothing more; what is in it can be read. */
export const fillStorage = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('no room', 'QuotaExceededError');
    };
  });

/** What axe finds wrong with the page, by all rules or by those named: each rule with the elements that break it. */
export async function violations(page: Page, rules?: string[]): Promise<[string, string[]][]> {
  // Pages without frames need no second page to collect results in, and what is right needs no list: that is most of the time of a run.
  // It reads no MathML, and would visit a third of a chapter's elements for it.
  const axe = new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], iframes: false })
    .exclude('math');
  const { violations: found } = await (rules ? axe.withRules(rules) : axe).analyze();
  // A heading of a table that is a formula: axe reads no MathML.
  const isFormula = (id: string, html: string): boolean => id === 'empty-table-header' && html.includes('<math');
  return found
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
