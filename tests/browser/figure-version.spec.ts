// Two scripts of <phasor-figure> on one page: the element is defined once.
import { readFileSync } from 'node:fs';
import { type ConsoleMessage, expect, test } from '@playwright/test';
import { figure, ready, scriptAddress, serveStrangers, visit } from './stranger.ts';

serveStrangers();

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const collectConsole = (page: { on(event: 'console', listener: (message: ConsoleMessage) => void): unknown }) => {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  return messages;
};

test('a second script of another version warns that it is ignored', async ({ page }) => {
  const nextUrl = scriptAddress().replace('figure.js', 'next/figure.js');
  const versionPattern = new RegExp(`(["'\`])${version.replaceAll('.', '\\.')}\\1`, 'g');
  expect(readFileSync('dist/npm/figure-core.js', 'utf8')).toMatch(versionPattern);
  await page.route('**/next/*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      headers: { 'access-control-allow-origin': '*' },
      body: readFileSync(`dist/npm/${new URL(route.request().url()).pathname.split('/').at(-1)}`, 'utf8').replaceAll(
        versionPattern,
        '"7.0.0"',
      ),
    }),
  );
  const messages = collectConsole(page);
  await visit(page, { body: figure('length="8"') });
  await ready(page);
  await page.evaluate((address) => import(address).then(() => {}), nextUrl);
  expect(messages).toEqual([
    `warning: <phasor-figure> is already defined on this page, version ${version} from ${scriptAddress()}; version 7.0.0 from ${nextUrl} is ignored: load only one of them.`,
  ]);
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), figure('id="later" length="4"'));
  await ready(page, '#later');
});

test('a second script of the same version does not warn', async ({ page }) => {
  const messages = collectConsole(page);
  await visit(page, { body: figure('length="8"') });
  await ready(page);
  await page.evaluate((address) => import(address).then(() => {}), `${scriptAddress()}?again`);
  await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), figure('id="later" length="4"'));
  await ready(page, '#later');
  expect(messages).toEqual([]);
});

test('an element of the same name from another script causes a warning', async ({ page }) => {
  const messages = collectConsole(page);
  await visit(page, { body: '', script: false });
  await page.evaluate(() => customElements.define('phasor-figure', class extends HTMLElement {}));
  await page.evaluate((address) => import(address).then(() => {}), scriptAddress());
  expect(messages).toEqual([
    expect.stringMatching(
      /^warning: <phasor-figure> is already defined on this page, version unknown from a script without a URL; version [\d.]+ from http/,
    ),
  ]);
});
