// The first command of the README in a clean checkout: the tracked files are copied into an empty folder, `npm start` runs there, and its pages are
// opened in a browser until a figure of each is computed. Imports of build products fail here.
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
  // Linked one by one, without caches of tools in the folder itself (node_modules/.vite).
  mkdirSync(join(folder, 'node_modules'));
  const packages = readdirSync(join(root, 'node_modules')).filter((name) => !/^\.(?!bin$|phasor-lock$)/.test(name));
  for (const name of packages) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

/**
 * `npm start` in a folder, in a separate process group.
 * @param {string} folder
 * @returns {{ address: Promise<string>, end: () => void, printed: () => string }}
 */
function start(folder) {
  // Without PHASOR_WASM: the compiled files are used by all later steps.
  const { PHASOR_WASM: _, ...env } = process.env;
  const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  /** @type {Promise<string>} */
  const address = new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ why) => reject(new Error(`npm start, where nothing was built, ${why}.`));
    const slow = setTimeout(() => fail(`printed no address within ${MINUTES} minutes`), MINUTES * 60_000);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        words += text;
        // Vite colours what it prints.
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
  if (response.status !== 200) throw new Error(`/${path} answered ${response.status}: ${(await response.text()).slice(0, 2000)}`);
  await response.text();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  /** @type {string[]} */
  const said = [];
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
  await page.goto(address + path);
  try {
    // Figures of the book are computed after the first event of a reader.
    await page.mouse.move(8, 8);
    const figure = page.locator('phasor-figure:is([data-state="ready"], [data-state="failed"])').first();
    await figure.waitFor({ state: 'attached', timeout: 120_000 });
    if ((await figure.getAttribute('data-state')) === 'failed') said.push(await figure.getByRole('alert').first().innerText());
  } catch {
    throw new Error(`/${path} shows no figure that was computed. ${said.join('\n')}`);
  }
  if (said.length > 0) throw new Error(`/${path} said: ${said.join('\n')}`);
  await page.close();
}

/** @returns {Promise<boolean>} whether it works; errors are printed */
export async function fromNothing() {
  const folder = copy();
  const server = start(folder);
  try {
    const address = await server.address;
    const browser = await chromium.launch(chromiumOptions());
    try {
      for (const path of PAGES) {
        await open(browser, address, path);
        console.log(`/${path} answers and computes`);
      }
    } finally {
      await browser.close();
    }
    // The WebAssembly and the figures built there are moved here, because later steps would build the same.
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
