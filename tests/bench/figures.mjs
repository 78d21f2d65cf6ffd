// <phasor-figure> in a bare page: the time of a pointer movement, the work of sixty figures when they are inserted, while the page scrolls and at
// rest, and the memory left by removed figures. Measured in Chromium with phasor/figure of the built package.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { createServer as createVite } from 'vite';
import { root } from '../../scripts/root.mjs';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';

const HEIGHT = 900;
const TOKENS = 128;

/** A tag for each kind, of 128 tokens or of the maximum of the kind. */
async function kinds() {
  const vite = await createVite({ configFile: join(root, 'vite.config.ts'), logLevel: 'error', server: { middlewareMode: true } });
  const { kinds: found } = await vite.ssrLoadModule('/figure/contract/all-kinds.ts');
  await vite.close();
  const text = Array.from({ length: TOKENS }, (_, at) => ['the', 'lion', 'killed', 'a', 'man'][at % 5]).join(' ');
  const long = ({ fields }) =>
    'length' in fields ? ` length="${Math.min(TOKENS, fields.length.control.max)}"` : 'text' in fields ? ` text="${text}"` : '';
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

/** Milliseconds from a pointer movement to the end of the frame that shows the cursor. */
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

/** Inserts sixty figures in one task and, after the visible ones are computed, scrolls through the whole page. */
async function sixty(tags) {
  await customElements.whenDefined('phasor-figure');
  performance.mark('made');
  document.body.innerHTML = Array.from({ length: 60 }, (_, at) => tags[at % tags.length]).join('');
  await document.querySelector('phasor-figure').ready;
  await new Promise((resolve) => setTimeout(resolve, 2000));
  performance.mark('scrolled');
  const end = document.documentElement.scrollHeight;
  for (let y = 0; y < end; y += 150) {
    scrollTo(0, y);
    await new Promise(requestAnimationFrame);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  performance.mark('rested');
}

const CATEGORIES = ['toplevel', 'disabled-by-default-devtools.timeline', 'blink.user_timing'];

/**
 * The longest task of the page's thread after each mark, from a trace: processor time in ms, which does not include other programs. A
 * PerformanceObserver reports only tasks above 50 ms.
 */
function longestTasks(trace, names) {
  const { traceEvents: events } = JSON.parse(trace.toString());
  const marks = names.map((name) => events.find((event) => event.name === name && event.cat.includes('user_timing')));
  const tasks = events.filter(
    ({ name, tid, pid }) => name === 'ThreadControllerImpl::RunTask' && tid === marks[0].tid && pid === marks[0].pid,
  );
  return marks.map(({ ts }, index) => {
    const end = marks[index + 1]?.ts ?? Number.POSITIVE_INFINITY;
    return Math.max(0, ...tasks.filter((task) => task.ts + task.dur > ts && task.ts < end).map(({ tdur = 0 }) => tdur / 1000));
  });
}

/** Milliseconds in which a figure is inserted, computed and removed. */
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

/** Inserts and removes a thousand figures, twenty at a time; the first of each twenty is computed. */
async function thousand() {
  document.body.innerHTML = '<phasor-figure kind="similarity" length="4"></phasor-figure><div></div>';
  const room = document.body.lastChild;
  for (let done = 0; done < 1000; done += 20) {
    room.innerHTML = Array.from(
      { length: 20 },
      (_, at) => `<phasor-figure kind="similarity" length="4" width="4" offset="${done + at}"></phasor-figure>`,
    ).join('');
    await room.firstChild.ready;
    room.replaceChildren();
    await new Promise(requestAnimationFrame);
  }
}

/** Heap size of the page's thread after garbage collection, kB. */
async function heap(session) {
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize / 1000;
}

/** Total task time of the page's thread, seconds. */
async function worked(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value;
}

/** Number of pages, for measurements that are taken once per page. */
const ROUNDS = 5;
const REST = 5000;

export async function figureRows(types) {
  const server = await serve(types);
  const unpaced = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];
  const rowOf = (what, values) => {
    const sorted = values.sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    return { where: 'Chromium figure', what, length: TOKENS, height: HEIGHT, median: at(0.5), p95: at(0.95) };
  };
  let browser = await chromium.launch(chromiumOptions(unpaced));
  const open = async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: HEIGHT } });
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return page;
  };
  const measured = async (what, run, argument) => {
    const page = await open();
    const row = rowOf(what, await page.evaluate(run, argument));
    await page.close();
    return row;
  };
  const all = await kinds();
  const pointed = [];
  for (const { id, tag } of all) pointed.push(await measured(`pointer moved, cursor shown: ms, the slowest kind (${id})`, moves, tag));
  const rows = [
    pointed.sort((a, b) => b.median - a.median)[0],
    await measured('a figure comes, computes and goes: ms', mounts, all.find(({ id }) => id === 'similarity').tag),
  ];
  await browser.close();

  browser = await chromium.launch(chromiumOptions());
  const longest = { made: [], scrolled: [] };
  const resting = [];
  const kept = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await open();
    await browser.startTracing(page, { categories: CATEGORIES });
    await page.evaluate(
      sixty,
      all.map(({ tag }) => tag),
    );
    const [made, scrolled] = longestTasks(await browser.stopTracing(), ['made', 'scrolled', 'rested']);
    longest.made.push(made);
    longest.scrolled.push(scrolled);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const before = await worked(session);
    await page.waitForTimeout(REST);
    resting.push(((await worked(session)) - before) * 1000);
    // The first thousand figures also fill caches, so the difference to the second thousand is reported.
    const after = async () => {
      await page.evaluate(thousand);
      // Pending responses keep their figures alive.
      await page.waitForTimeout(1000);
      return heap(session);
    };
    const first = await after();
    kept.push((await after()) - first);
    await page.close();
  }
  await browser.close();
  server.close();
  return [
    ...rows,
    rowOf('60 figures of all kinds made at once: ms of work in the longest task', longest.made),
    rowOf('60 figures of all kinds, scrolled through: ms of work in the longest task', longest.scrolled),
    rowOf(`60 figures of all kinds at rest for ${REST / 1000} s: ms of work`, resting),
    rowOf('1,000 figures that came and went: kB more on the heap', kept),
  ];
}
