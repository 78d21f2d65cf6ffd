// Time from a movement of the slider until all figures in the window are redrawn, and until their proofs are complete. Measured in Chromium on the
// built site, with a word already moved, so that everything is computed: both orders, the table, the proof, and the figures of the open question.
// Figures out of sight are drawn later, so two heights of the window are measured: a usual one, and one that shows every figure. There are two clocks:
//
// - frames of a 60 Hz screen: the slider moves at the start of a frame, when browsers dispatch input. 1.0 is the next frame.
// - the browser's work, from the input event to the end of the frame that shows the new values: script, style, layout, paint. Chromium runs
//   without a frame rate limit, so that it renders a frame for the slider alone first.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { root } from '../../scripts/root.mjs';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';
import { figureRows } from './figures.mjs';

const types = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  wasm: 'application/wasm',
  json: 'application/json',
  svg: 'image/svg+xml',
};

export const needs = ['npm', 'site'];

export const columns = () => [
  ['where', (row) => row.where],
  ['what', (row) => row.what],
  ['tokens', (row) => row.length],
  ['window', (row) => `1440 x ${row.height}`],
  ['median', (row) => row.median.toPrecision(3)],
  ['p95', (row) => row.p95.toPrecision(3)],
  ['with proofs, median', (row) => row.whole?.toPrecision(3) ?? ''],
  ['in the next frame', (row) => (row.next === undefined ? '' : `${Math.round(row.next * 100)}%`)],
];

const words = ['the', 'lion', 'killed', 'a', 'man', 'who', 'likes', 'my', 'kid'];

/** Defines the functions of both clocks on the page. */
function prepare() {
  const slider = document.querySelector('input[type=range]');
  // Computed once, because reading the rectangles in each step would force a layout.
  const inWindow = [...document.querySelectorAll('phasor-figure')].filter((figure) => {
    const { top, bottom } = figure.getBoundingClientRect();
    return figure.getAttribute('kind') !== 'race' && top < innerHeight && bottom > 0;
  });
  window.bench = {
    rest: () => new Promise((resolve) => setTimeout(resolve, 90)),
    /** Waits for the next frame. @returns its start, ms */
    frame: () => new Promise(requestAnimationFrame),
    move(step) {
      slider.value = String(Number(slider.min) + ((step % 20) + 1) * ((Number(slider.max) - Number(slider.min)) / 25));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    },
    /** All figures in the window show the current request. Figures outside of it follow when the slider rests. */
    isDrawn: () =>
      inWindow.every(({ live: { value: figure } }) => (figure.partial.value ?? figure.computed.value)?.spec === figure.spec.value),
    /** Their results are complete. */
    isWhole: () => inWindow.every(({ live: { value: figure } }) => figure.computed.value?.spec === figure.spec.value),
    /** Waits until `isDrawn`. Call it after the slider has moved. */
    drawn: () =>
      new Promise((resolve, reject) => {
        if (window.bench.isDrawn()) reject(new Error('no figure follows the slider'));
        let ends = [];
        const look = () => {
          if (!window.bench.isDrawn()) return;
          for (const end of ends) end();
          ends = [];
          resolve();
        };
        ends = inWindow.flatMap(({ live: { value: figure } }) => [figure.partial, figure.computed].map((one) => one.subscribe(look)));
      }),
  };
}

/** Frames from the movement of the slider to the redrawn figures, and to the complete proofs. */
async function frames(steps) {
  const { rest, frame, move, isDrawn, isWhole } = window.bench;
  const gaps = [];
  for (let last = await frame(); gaps.length < 31; ) {
    const now = await frame();
    gaps.push(now - last);
    last = now;
  }
  const interval = gaps.sort((a, b) => a - b)[15];
  const counts = [];
  for (let step = 0; step < steps; step += 1) {
    await rest();
    // The first callback after a rest may belong to a frame that has begun already; the second one is on time.
    await frame();
    const start = await frame();
    move(step);
    if (isDrawn()) throw new Error('no figure follows the slider');
    const until = async (isThere) => {
      let now = start;
      while (!isThere()) now = await frame();
      return (now - start) / interval;
    };
    const drawn = await until(isDrawn);
    counts.push([drawn, isWhole() ? drawn : await until(isWhole)]);
  }
  return counts;
}

/** Milliseconds of the browser's work until the figures are redrawn, and until the proofs are complete. */
async function milliseconds(steps) {
  const { rest, frame, move, drawn, isWhole } = window.bench;
  // A message posted in a frame's callback is received after the frame's style, layout and paint.
  const frameDone = async () => {
    await frame();
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      port1.onmessage = () => resolve(performance.now());
      port2.postMessage(0);
    });
  };
  const times = [];
  for (let step = 0; step < steps; step += 1) {
    await rest();
    const start = performance.now();
    move(step);
    await drawn();
    const pictures = (await frameDone()) - start;
    let whole = pictures;
    while (!isWhole()) whole = (await frameDone()) - start;
    times.push([pictures, whole]);
  }
  return times;
}

const clocks = [
  { what: 'slider moved, pictures shown: frames of 60 Hz', clock: frames, steps: 110, flags: [] },
  {
    what: "slider moved, pictures shown: ms of the browser's work",
    clock: milliseconds,
    steps: 60,
    flags: ['--disable-frame-rate-limit', '--disable-gpu-vsync'],
  },
];
/** Number of first steps to skip, in which code is still compiled. */
const warm = 10;

/** Trains four models on the task copy in workers for a minute, in a figure over the page. */
async function train(page) {
  await page.evaluate(() => {
    const race = document.createElement('phasor-figure');
    const fields = { kind: 'race', encodings: 'none, alibi, learned, rope', task: 'copy', seeds: '3', budget: '60' };
    for (const [name, value] of Object.entries(fields)) race.setAttribute(name, value);
    race.style.cssText = 'position: fixed; right: 0; bottom: 0; width: 420px; height: 360px; overflow: auto; z-index: 9';
    document.body.append(race);
  });
  const race = page.locator('phasor-figure[kind=race]');
  await race.getByRole('button', { name: /^Train/ }).click();
  await race.getByRole('button', { name: /^Stop/ }).waitFor();
  await page.waitForTimeout(2500);
}

async function serve() {
  const server = createServer(async (request, response) => {
    const name = request.url.replace(/[?#].*/, '').replace(/\/$/, '/index.html');
    try {
      const bytes = await readFile(join(root, 'dist/site', name));
      response.writeHead(200, { 'content-type': types[name.split('.').pop()] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

export async function labRows() {
  const server = await serve();
  const rows = [];
  for (const { what, clock, steps, flags } of clocks) {
    const browser = await chromium.launch(chromiumOptions(flags));
    const cases = [4, 128, 512].flatMap((count) => [900, 2000].map((high) => [count, high, false]));
    for (const [length, height, trains] of clock === frames ? [...cases, [9, 900, true]] : cases) {
      // No service worker: it would download the offline copy in the first seconds.
      const page = await browser.newPage({ viewport: { width: 1440, height }, serviceWorkers: 'block' });
      const text = Array.from({ length }, (_, i) => words[i % words.length]).join(' ');
      const order = Array.from({ length }, (_, i) => (i < 2 ? 1 - i : i));
      await page.goto(
        `http://127.0.0.1:${server.address().port}/lab/#v=1&encoding=sinusoidal&order=${order.join('.')}&text=${encodeURIComponent(text)}`,
      );
      await page.waitForFunction(() => Number(document.querySelector('[data-testid=badge]')?.getAttribute('data-max-abs-diff')) > 0);
      await page.waitForSelector('input[type=range]');
      // Waits until all started figures are complete.
      await page.waitForFunction(() => {
        const seen = [...document.querySelectorAll('phasor-figure')].filter((one) => one.dataset.state !== 'idle');
        return seen.length > 1 && seen.every((one) => one.dataset.state === 'ready');
      });
      if (trains) await train(page);
      await page.evaluate(prepare);
      const moved = (await page.evaluate(clock, steps)).slice(warm);
      const [times, wholes] = [0, 1].map((which) => moved.map((step) => step[which]).sort((a, b) => a - b));
      const at = (list, share) => list[Math.floor(list.length * share)];
      if (trains && !(await page.getByRole('button', { name: /^Stop/ }).isVisible()))
        throw new Error('The training has ended before the slider.');
      const row = {
        where: 'Chromium page',
        what: trains ? `${what}, while four models train` : what,
        length,
        height,
        median: at(times, 0.5),
        p95: at(times, 0.95),
        whole: at(wholes, 0.5),
      };
      if (clock === frames) row.next = times.filter((count) => count < 1.5).length / times.length;
      rows.push(row);
      await page.close();
    }
    await browser.close();
  }
  server.close();
  return rows;
}

export const pageRows = async () => [...(await labRows()), ...(await figureRows(types))];
