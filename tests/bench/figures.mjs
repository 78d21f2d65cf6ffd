// <phasor-figure> in a bare page: what a movement of the pointer costs, what sixty figures cost while the page scrolls, and what one costs that comes
// and goes. Measured in Chromium on phasor/figure as the package ships it.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { createServer as createVite } from 'vite';
import { root } from '../../scripts/cmake.mjs';

const HEIGHT = 900;
const TOKENS = 128;

/** All kinds, with the attributes that make them 128 tokens long. */
async function kinds() {
  const vite = await createVite({ configFile: join(root, 'vite.config.ts'), logLevel: 'error', server: { middlewareMode: true } });
  const { kinds: found } = await vite.ssrLoadModule('/figure/registry.ts');
  await vite.close();
  const text = Array.from({ length: TOKENS }, (_, at) => ['the', 'lion', 'killed', 'a', 'man'][at % 5]).join(' ');
  const long = ({ fields }) => ('length' in fields ? ` length="${TOKENS}"` : 'text' in fields ? ` text="${text}"` : '');
  return Object.values(found).map((kind) => ({ id: kind.id, tag: `<phasor-figure kind="${kind.id}"${long(kind)}></phasor-figure>` }));
}

async function serve(types) {
  const server = createServer(async (request, response) => {
    const name = request.url.replace(/[?#].*/, '');
    if (name === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><script type="module" src="/figure.js"></script><body>');
      return;
    }
    try {
      const bytes = await readFile(join(root, 'dist/npm', name));
      response.writeHead(200, { 'content-type': types[name.split('.').pop()] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Milliseconds from a movement of the pointer to the end of the frame that shows the cursor there. */
async function moves(tag) {
  await customElements.whenDefined('phasor-figure');
  document.body.innerHTML = tag;
  await document.querySelector('phasor-figure').ready;
  const surface = document.querySelector('phasor-figure').shadowRoot.querySelector('.surface');
  const { left, top, width, height } = surface.getBoundingClientRect();
  const times = [];
  for (let step = 0; step < 80; step += 1) {
    const share = ((step * 29) % 80) / 80;
    const event = { clientX: left + 40 + share * (width - 60) * 0.4, clientY: top + 50 + share * (height - 100), bubbles: true };
    const start = performance.now();
    surface.dispatchEvent(new PointerEvent('pointermove', event));
    await new Promise(requestAnimationFrame);
    const { port1, port2 } = new MessageChannel();
    const done = new Promise((resolve) => {
      port1.onmessage = resolve;
    });
    port2.postMessage(0);
    await done;
    times.push(performance.now() - start);
  }
  return times.slice(20);
}

/** The longest tasks (ms) while sixty figures are made and the page scrolls through all of them. */
async function scrolling(tags) {
  await customElements.whenDefined('phasor-figure');
  const tasks = [0];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  document.body.innerHTML = Array.from({ length: 60 }, (_, at) => tags[at % tags.length]).join('');
  const end = document.documentElement.scrollHeight;
  for (let y = 0; y < end; y += 150) {
    scrollTo(0, y);
    await new Promise(requestAnimationFrame);
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  return tasks;
}

/** Milliseconds of a figure that comes, has its numbers and goes. */
async function mounts(tag) {
  await customElements.whenDefined('phasor-figure');
  const times = [];
  for (let round = 0; round < 120; round += 1) {
    const start = performance.now();
    document.body.innerHTML = tag;
    await document.body.firstChild.ready;
    document.body.replaceChildren();
    times.push(performance.now() - start);
  }
  return times.slice(20);
}

export async function figureRows(types) {
  const server = await serve(types);
  const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-frame-rate-limit', '--disable-gpu-vsync'];
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
  const measured = async (what, run, argument) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: HEIGHT } });
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const times = (await page.evaluate(run, argument)).sort((a, b) => a - b);
    await page.close();
    const at = (share) => times[Math.floor(times.length * share)];
    return { where: 'Chromium figure', what, length: TOKENS, height: HEIGHT, median: at(0.5), p95: at(0.95), most: times.at(-1) };
  };
  const all = await kinds();
  const pointed = [];
  for (const { id, tag } of all) pointed.push(await measured(`pointer moved, cursor shown: ms, the slowest kind (${id})`, moves, tag));
  const rows = [
    pointed.sort((a, b) => b.median - a.median)[0],
    await measured(
      '60 figures of all kinds, scrolled through: ms of tasks above 50 (p95: the longest)',
      scrolling,
      all.map(({ tag }) => tag),
    ),
    await measured('a figure comes, computes and goes: ms', mounts, all.find(({ id }) => id === 'similarity').tag),
  ];
  rows[1].p95 = rows[1].most;
  await browser.close();
  server.close();
  return rows.map(({ most: _, ...row }) => row);
}
