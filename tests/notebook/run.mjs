// `npm run test:notebook [-- FOLDER]`: tests the wheel of dist/python in JupyterLab and in marimo. pip installs all of them into build/notebook, Chromium
// opens a notebook in each, and every cell must have its figure, with its values, buttons and cursor. Pictures of both pages are written to FOLDER, by
// default build/notebook/pictures.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright';
import { buildUnlessCurrent } from '../../scripts/build.mjs';
import { root } from '../../scripts/root.mjs';
import { run } from '../../scripts/run.mjs';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';
import { cells, firstWeights, jupyterNotebook, marimoNotebook } from './cells.mjs';

/** @import { Page } from 'playwright' */
/** @import { PhasorFigureElement } from '../../web/figure/contract/element-types.ts' */

const FROM_PYPI = ['jupyterlab==4.6.*', 'marimo==0.25.*', 'anywidget', 'numpy'];
/** A timeout in ms: starting a notebook takes a minute on a busy machine. */
const PATIENCE = 180_000;
const folder = join(root, 'build/notebook');
const pictures = resolve(process.argv[2] ?? join(folder, 'pictures'));
const python = join(folder, 'venv/bin/python');

/** Installs the wheel and its dependencies into a virtual environment. */
function install() {
  mkdirSync(folder, { recursive: true });
  if (spawnSync(python, ['-c', 'import anywidget, jupyterlab, marimo']).status !== 0) {
    run('python3', ['-m', 'venv', '--clear', join(folder, 'venv')]);
    run(python, ['-m', 'pip', 'install', '--quiet', ...FROM_PYPI]);
  }
  const [wheel = ''] = readdirSync(join(root, 'dist/python'));
  run(python, ['-m', 'pip', 'install', '--quiet', '--force-reinstall', '--no-deps', join(root, 'dist/python', wheel)]);
  run(python, ['-m', 'pip', 'check']);
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/**
 * Starts a Python server and waits until it responds.
 * @param {string[]} words the arguments of python
 * @param {string} address
 */
async function serve(words, address) {
  const home = join(folder, 'home');
  const child = spawn(python, words, {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, HOME: home, JUPYTER_CONFIG_DIR: home },
  });
  for (let elapsed = 0; elapsed < PATIENCE; elapsed += 500) {
    if (child.exitCode !== null) throw new Error(`python ${words.join(' ')}: ended with ${child.exitCode}`);
    const isUp = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { stop: () => process.kill(-(child.pid ?? 0)) };
    await setTimeout(500);
  }
  throw new Error(`python ${words.join(' ')}: does not respond`);
}

/** @param {string} expected @param {() => Promise<boolean>} condition */
async function until(expected, condition) {
  for (let elapsed = 0; elapsed < PATIENCE; elapsed += 250) {
    if (await condition()) return;
    await setTimeout(250);
  }
  throw new Error(`timeout after ${PATIENCE / 1000} s: ${expected}`);
}

/**
 * Checks that every cell has its figure, that a button of the first one shows another layer, and that its cursor reaches Python.
 * @param {Page} page
 * @param {string} name the prefix of picture files and messages
 * @param {() => Promise<string>} cursorInPython
 */
async function checkFigures(page, name, cursorInPython) {
  for (const [index, { text }] of cells.entries()) {
    const figure = page.locator('phasor-widget').nth(index);
    await figure.waitFor({ timeout: PATIENCE });
    await figure.scrollIntoViewIfNeeded();
    await until(`${name}: figure ${index} is ready`, async () => (await figure.getAttribute('data-state')) === 'ready');
    await until(`${name}: figure ${index} shows “${text}”`, () => figure.getByText(text).first().isVisible());
    await figure.screenshot({ path: join(pictures, `${name}-${index}.png`) });
  }
  const widget = page.locator('phasor-widget').first();
  const actual = await widget.evaluate((element) => {
    const figure = /** @type {PhasorFigureElement} */ (element);
    return [...(figure.tensors().weights?.data ?? [])];
  });
  const expected = JSON.parse(run(python, ['-c', firstWeights])).flat();
  if (actual.length !== 24 || actual.some((weight, index) => weight !== Math.fround(expected[index])))
    throw new Error(`the figure has the weights ${actual}; expected ${expected}`);
  await widget.getByRole('button', { name: /^Next layer/ }).click();
  await until(`${name}: the next layer`, async () => (await widget.locator('.readout').innerText()).startsWith('Layer 0 (0 to 2), head 1'));
  await widget.locator('.picture').focus();
  await page.keyboard.press('ArrowDown');
  await until(`${name}: the cursor in Python`, async () => /\{'query': \d, 'key': \d\}/.test(await cursorInPython()));
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** @param {Page} page */
async function testJupyter(page) {
  writeFileSync(join(folder, 'phasor.ipynb'), jupyterNotebook());
  const port = await freePort();
  const words = [
    '-m',
    'jupyterlab',
    '--no-browser',
    '--allow-root',
    `--port=${port}`,
    '--IdentityProvider.token=',
    `--ServerApp.root_dir=${folder}`,
  ];
  const server = await serve(words, `http://127.0.0.1:${port}/api`);
  try {
    await page.goto(`http://127.0.0.1:${port}/lab/tree/phasor.ipynb?reset`, { timeout: PATIENCE });
    await page.locator('.jp-Notebook .jp-CodeCell').first().waitFor({ timeout: PATIENCE });
    // On some machines, JupyterLab opens a dialog for the kernel of a new notebook.
    const select = page.getByRole('dialog').getByRole('button', { name: 'Select' });
    await until('the kernel is idle', async () => {
      if (await select.isVisible()) await select.click();
      return page.getByText('| Idle').isVisible();
    });
    if (await select.isVisible()) await select.click();
    await page.getByRole('menuitem', { name: 'Run', exact: true }).click({ timeout: PATIENCE });
    await page.locator('[data-command="runmenu:run-all"]').click();
    const lastCell = page.locator('.jp-CodeCell').last();
    await checkFigures(page, 'jupyterlab', async () => {
      await lastCell.locator('.cm-content').click();
      await page.keyboard.press('Shift+Enter');
      await setTimeout(1000);
      return page.locator('.jp-OutputArea-output').last().innerText();
    });
  } finally {
    server.stop();
  }
}

/** @param {Page} page */
async function testMarimo(page) {
  writeFileSync(join(folder, 'phasor_marimo.py'), marimoNotebook());
  const port = await freePort();
  const words = ['-m', 'marimo', 'run', 'phasor_marimo.py', '--headless', '--no-token', '--port', String(port)];
  const server = await serve(words, `http://127.0.0.1:${port}/health`);
  try {
    await page.goto(`http://127.0.0.1:${port}/`, { timeout: PATIENCE });
    await checkFigures(page, 'marimo', () => page.locator('body').innerText());
  } finally {
    server.stop();
  }
}

await buildUnlessCurrent(['npm']);
install();
rmSync(pictures, { recursive: true, force: true });
mkdirSync(pictures, { recursive: true });
const browser = await chromium.launch(chromiumOptions());
let failureCount = 0;
try {
  for (const [name, check] of Object.entries({ JupyterLab: testJupyter, marimo: testMarimo })) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
    /** @type {string[]} */
    const problems = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    try {
      await check(page);
      console.log(`ok     ${name}: ${cells.length} figures, layers and heads by buttons, the cursor in Python`);
    } catch (error) {
      failureCount += 1;
      await page.screenshot({ path: join(pictures, `${name}-failed.png`) });
      console.error(`FAILED ${name}: ${error instanceof Error ? error.message : error}; ${problems.join('; ')}`);
    }
    await page.close();
  }
} finally {
  await browser.close();
}
process.exit(failureCount ? 1 : 0);
