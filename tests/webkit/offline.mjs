// `node tests/webkit/offline.mjs [FOLDER]`: opens the files of dist/offline from disk in WebKitGTK, by its own driver (Debian: webkit2gtk-driver,
// xvfb), and reports which figures are ready. Screenshots at two widths go to FOLDER. Not part of `npm test`, because it takes some minutes.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const DRIVER = '/usr/bin/WebKitWebDriver';
const PORT = 4477;
const DISPLAY = ':97';
const WAIT = 60_000;
const root = join(import.meta.dirname, '../..');
const [folder] = process.argv.slice(2);

if (!existsSync(DRIVER) || spawnSync('which', ['Xvfb']).status !== 0) {
  console.log('WebKitGTK is not here (apt-get install webkit2gtk-driver xvfb), so the offline files were not opened in it');
  process.exit(0);
}

const screen = spawn('Xvfb', [DISPLAY, '-screen', '0', '1600x1200x24'], { stdio: 'ignore' });
// There is no GPU for compositing, and the sandbox does not start as root.
const env = { ...process.env, DISPLAY, WEBKIT_DISABLE_COMPOSITING_MODE: '1', WEBKIT_FORCE_SANDBOX: '0', GDK_BACKEND: 'x11' };
const driver = spawn(DRIVER, [`--port=${PORT}`], { env, stdio: 'ignore' });
/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a WebDriver command, and returns its value. @param {'GET' | 'POST' | 'DELETE'} method @param {string} path @param {unknown} [body] */
async function ask(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${PORT}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { value } = await response.json();
  if (value?.error) throw new Error(`${path}: ${value.message || value.error}`);
  return value;
}

/** @typedef {{ all: number, ready: number, failed: number, said: string }} Look */

/** Runs in the page: counts its figures by state, and reads the text about the engine. */
const LOOK = `
  const figures = [...document.querySelectorAll('phasor-figure')];
  const states = figures.map(({ dataset }) => dataset.state);
  const wanted = figures.find(({ dataset }) => dataset.state !== 'ready');
  wanted?.scrollIntoView({ block: 'center' });
  const said = document.querySelector('ph-engine, #state')?.textContent ?? '';
  return { all: figures.length, ready: states.filter((state) => state === 'ready').length, failed: states.filter((state) => state === 'failed').length, said };`;

const ENGINE = /phasor \d+\.\d+\.\d+, WebAssembly/;

async function main() {
  let session;
  for (let left = 40; !session; left--) {
    try {
      session = await ask('POST', '/session', { capabilities: { alwaysMatch: {} } });
    } catch (thrown) {
      if (left === 0) throw thrown;
      await sleep(500);
    }
  }
  const at = `/session/${session.sessionId}`;
  const { browserName, browserVersion } = session.capabilities;
  console.log(`${browserName} ${browserVersion}`);
  let failed = 0;
  const files = readdirSync(join(root, 'dist/offline')).filter((name) => name.endsWith('.html'));
  for (const name of files) {
    const hash = { 'lab.html': '#v=1&encoding=rope&order=3.0.1.2', 'book.html': '#rotation--all' }[name] ?? '';
    await ask('POST', `${at}/window/rect`, { width: 1440, height: 1000 });
    await ask('POST', `${at}/url`, { url: 'about:blank' });
    await ask('POST', `${at}/url`, { url: pathToFileURL(join(root, 'dist/offline', name)).href + hash });
    // The book has some hundred figures, so one ready figure of its first page is enough.
    /** @param {Look} look */
    const enough = (look) => look.failed > 0 || (look.ready >= (name === 'book.html' ? 1 : look.all) && ENGINE.test(look.said));
    /** @type {Look} */
    let look = { all: 0, ready: 0, failed: 0, said: '' };
    for (const begun = Date.now(); Date.now() - begun < WAIT; ) {
      await sleep(400);
      look = await ask('POST', `${at}/execute/sync`, { script: LOOK, args: [] });
      if (look.all > 0 && enough(look)) break;
    }
    const isRight = look.all > 0 && look.failed === 0 && enough(look) && ENGINE.test(look.said);
    if (!isRight) failed += 1;
    console.log(`${isRight ? 'ok' : 'WRONG'} ${name}: ${look.ready} of ${look.all} figures have numbers; ${look.said.trim()}`);
    if (!folder) continue;
    mkdirSync(folder, { recursive: true });
    for (const width of [1440, 390]) {
      await ask('POST', `${at}/window/rect`, { width, height: 1000 });
      await ask('POST', `${at}/execute/sync`, { script: name === 'book.html' ? '' : 'scrollTo(0, 0)', args: [] });
      await sleep(700);
      writeFileSync(join(folder, `${name.replace('.html', '')}-${width}.png`), Buffer.from(await ask('GET', `${at}/screenshot`), 'base64'));
    }
  }
  await ask('DELETE', at);
  console.log(`${files.length - failed} passed, ${failed} failed`);
  return failed;
}

try {
  process.exitCode = (await main()) === 0 ? 0 : 1;
} finally {
  driver.kill();
  screen.kill();
}
