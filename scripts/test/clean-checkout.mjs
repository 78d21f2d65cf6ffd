// Tests the first command of the README in a clean checkout: copies the tracked files into an empty folder, runs `npm start` there, and opens its
// pages in a browser until each has computed a figure. Imports of build products fail here.
import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { chromium } from 'playwright';
import { root } from '../root.mjs';
import { run } from '../run.mjs';
import { chromiumOptions } from '../setup/browsers.mjs';
import { wasmFolder } from '../wasm/wasm.mjs';

const PAGES = ['', 'lab/', 'book/rotation/', 'gallery/similarity/'];
/** Compiling the core takes a minute or two, longer on a busy machine. */
const MINUTES = 15;

/** A copy of the sources without build products. node_modules is linked. */
function copy() {
  const folder = mkdtempSync(join(tmpdir(), 'phasor-clean-checkout-'));
  const tracked = run('git', ['ls-files', '-z']).split('\0').filter(Boolean);
  for (const name of tracked.filter((one) => existsSync(join(root, one)))) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    copyFileSync(join(root, name), join(folder, name));
  }
  // Packages are linked one by one, without the caches of tools in node_modules (node_modules/.vite).
  mkdirSync(join(folder, 'node_modules'));
  const packages = readdirSync(join(root, 'node_modules')).filter((name) => !/^\.(?!bin$|phasor-lock$)/.test(name));
  for (const name of packages) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

/**
 * Runs `npm start` in a folder, in a separate process group.
 * @param {string} folder
 * @returns {{ address: Promise<string>, end: () => void, printed: () => string }}
 */
function start(folder) {
  // PHASOR_WASM is unset, because all later steps use the files that are compiled here.
  const { PHASOR_WASM: _, ...env } = process.env;
  const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  /** @type {Promise<string>} */
  const address = new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ why) => reject(new Error(`npm start in a clean checkout ${why}.`));
    const slow = setTimeout(() => fail(`printed no address within ${MINUTES} minutes`), MINUTES * 60_000);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        words += text;
        // Vite colours its output.
        const [found] = stripVTControlCharacters(words).match(/http:\/\/localhost:\d+\//) ?? [];
        if (!found) return;
        clearTimeout(slow);
        resolve(found);
      });
    child.on('close', (status) => {
      clearTimeout(slow);
      fail(`ended with ${status}`);
    });
  });
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid);
    } catch (thrown) {
      if (/** @type {NodeJS.ErrnoException} */ (thrown).code !== 'ESRCH') throw thrown;
    }
  };
  return { address, end, printed: () => words };
}

/**
 * Opens a page until its first figure is computed.
 * @param {import('playwright').Browser} browser
 * @param {string} address of the server
 * @param {string} path of the page
 * @throws {Error} with the name of the page, its errors and the response of the server
 */
async function open(browser, address, path) {
  const response = await fetch(address + path);
  if (response.status !== 200)
    throw new Error(`/${path} responded with status ${response.status}: ${(await response.text()).slice(0, 2000)}`);
  await response.text();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(address + path);
  try {
    // Figures of the book are computed after the first event of a user.
    await page.mouse.move(8, 8);
    const figure = page.locator('phasor-figure:is([data-state="ready"], [data-state="failed"])').first();
    await figure.waitFor({ state: 'attached', timeout: 120_000 });
    if ((await figure.getAttribute('data-state')) === 'failed') errors.push(await figure.getByRole('alert').first().innerText());
  } catch {
    throw new Error(`/${path} has no computed figure. ${errors.join('\n')}`);
  }
  if (errors.length > 0) throw new Error(`/${path} reported errors: ${errors.join('\n')}`);
  await page.close();
}

/** @returns {Promise<boolean>} whether all pages work; errors are printed */
export async function fromNothing() {
  const folder = copy();
  const server = start(folder);
  try {
    const address = await server.address;
    const browser = await chromium.launch(chromiumOptions());
    try {
      for (const path of PAGES) {
        await open(browser, address, path);
        console.log(`/${path} has a computed figure`);
      }
    } finally {
      await browser.close();
    }
    // The WebAssembly and the figures are copied into this checkout, so that later steps need not build them again.
    cpSync(join(folder, 'build/wasm'), wasmFolder, { recursive: true });
    // Files that the server is still writing (scripts/book/disk-cache.mjs) end with a number.
    cpSync(join(folder, 'build/book'), join(root, 'build/book'), { recursive: true, filter: (path) => !/\.\d+$/.test(path) });
    return true;
  } catch (thrown) {
    console.error(`${thrown instanceof Error ? thrown.message : thrown}\nnpm start printed:\n${server.printed()}`);
    return false;
  } finally {
    server.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) process.exitCode = (await fromNothing()) ? 0 : 1;
