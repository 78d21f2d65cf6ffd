// The Lab with the keyboard alone: Tab reaches every control, which shows the focus and has a name.
import { expect, test } from '@playwright/test';
import { open, serveSite } from './page.ts';

serveSite();
test.use({ viewport: { width: 1440, height: 900 } });

interface Walk {
  /** Controls that Tab has not reached. */
  readonly missed: string[];
  /** Controls that do not show the focus. */
  readonly unseen: string[];
  readonly stops: number;
}
declare global {
  interface Window {
    walk(): Walk;
  }
}

test('Tab reaches the skip link first, then every control; each shows the focus and has a name', async ({ page }) => {
  const problems = await open(page, '#v=1&encoding=rope&question=scores&view=rotation');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the figures' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Skip to the figures' })).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('#answers') !== null)).toBe(true);
  await page.keyboard.press('?');
  await expect(page.getByText('opens this list')).toBeVisible();
  await page.getByRole('button', { name: 'Add to slides' }).click();
  const largeFigure = page.locator('.large phasor-figure');
  await expect(largeFigure).toHaveAttribute('data-state', 'ready');
  for (const part of ['Settings', 'Export']) await largeFigure.getByText(part, { exact: true }).click();
  await expect(largeFigure.getByRole('button', { name: 'SVG' })).toBeVisible();

  await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
    getSelection()?.removeAllRanges();
    const describeElement = (element: Element): string =>
      `${element.localName} ${element.getAttribute('name') ?? ''} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
    const isOutlined = (element: Element | null | undefined): boolean => {
      if (!element) return false;
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !/, 0\)$/.test(outlineColor) && width >= 8 && height >= 8;
    };
    const focusedElements: Element[] = [];
    const unmarked: string[] = [];
    const onFocus = (event: Event): void => {
      const target = event.composedPath()[0] as Element;
      if (focusedElements.includes(target)) return;
      focusedElements.push(target);
      // The outline of a choice is on the element after its input.
      if (!isOutlined(target) && !isOutlined(target.nextElementSibling)) unmarked.push(describeElement(target));
    };
    // Focus events within a shadow root are not visible outside of it.
    const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
    for (const root of roots) root.addEventListener('focusin', onFocus);
    const controls = (root: Document | ShadowRoot): HTMLElement[] =>
      [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
        ...(element.tabIndex >= 0 && element.matches('a[href], button, input, select, textarea, summary, [tabindex]') ? [element] : []),
        ...(element.shadowRoot ? controls(element.shadowRoot) : []),
      ]);
    window.walk = () => {
      const groups = new Set(
        focusedElements.map((element) => (element instanceof HTMLInputElement && element.type === 'radio' ? element.name : '')),
      );
      // A group of radio buttons is one tab stop.
      const wasFocused = (element: HTMLElement): boolean =>
        focusedElements.includes(element) || (element instanceof HTMLInputElement && element.type === 'radio' && groups.has(element.name));
      const missed = controls(document).filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled') && !wasFocused(element),
      );
      return { missed: missed.map(describeElement), unseen: unmarked, stops: new Set(focusedElements).size };
    };
  });
  // Presses Tab until every control is reached, at most 400 times.
  for (let stop = 0; stop < 40; stop++) {
    for (let press = 0; press < 10; press++) await page.keyboard.press('Tab');
    if (stop > 2 && (await page.evaluate(() => window.walk().missed.length)) === 0) break;
  }
  const { missed, unseen, stops } = await page.evaluate(() => window.walk());
  expect(missed).toEqual([]);
  expect(unseen).toEqual([]);
  expect(stops).toBeGreaterThan(40);

  const tree = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree');
  const focusable = tree.nodes.filter(
    ({ ignored, role, properties }) =>
      !ignored && role?.value !== 'RootWebArea' && properties?.some(({ name, value }) => name === 'focusable' && value.value === true),
  );
  expect(focusable.length).toBeGreaterThan(40);
  expect(focusable.filter(({ name }) => !String(name?.value ?? '').trim()).map(({ role }) => role?.value)).toEqual([]);
  expect(problems).toEqual([]);
});
