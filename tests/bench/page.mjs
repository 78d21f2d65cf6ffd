// How long after a slider moves are the new pictures shown? Measured in Chromium on the built site, with a word already moved, so
// that everything is computed: two layers, the table, the proof. The clock runs from the input event to the end of the browser's
// work for the frame that shows the new numbers: script, style, layout, paint. A picture out of sight is drawn later, so windows of
// two heights are measured: a usual one, and one in which every picture is in sight. Chromium is told not to wait for a screen, or the
// wait for its next frame, up to 16.7 ms, would be all one sees.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { root } from '../../scripts/cmake.mjs';

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
  ['median ms', (row) => row.milliseconds.toPrecision(3)],
];

export async function pageRows() {
  const server = createServer(async (request, response) => {
    const name = request.url === '/' ? '/index.html' : request.url.replace(/[?#].*/, '');
    try {
      const bytes = await readFile(join(root, 'dist/site', name));
      response.writeHead(200, { 'content-type': types[name.split('.').pop()] ?? 'application/octet-stream' }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-frame-rate-limit', '--disable-gpu-vsync'],
  });
  const rows = [];
  const words = ['the', 'lion', 'killed', 'a', 'man', 'who', 'likes', 'my', 'kid'];
  for (const [length, height] of [4, 128, 512].flatMap((count) => [900, 2000].map((high) => [count, high]))) {
    const page = await browser.newPage({ viewport: { width: 1440, height } });
    const text = Array.from({ length }, (_, i) => words[i % words.length]).join(' ');
    const order = Array.from({ length }, (_, i) => (i < 2 ? 1 - i : i));
    await page.goto(
      `http://127.0.0.1:${server.address().port}/#v=1&encoding=sinusoidal&order=${order.join('.')}&text=${encodeURIComponent(text)}`,
    );
    await page.waitForFunction(() => Number(document.querySelector('[data-testid=badge]')?.getAttribute('data-largest')) > 0);
    const times = await page.evaluate(async () => {
      const slider = document.querySelector('input[type=range]');
      const badge = document.querySelector('[data-testid=badge]');
      const times = [];
      // A message sent in a frame's callback is read when the frame's style, layout and paint are done.
      const frameDone = () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now());
            port2.postMessage(0);
          });
        });
      for (let step = 0; step < 60; step += 1) {
        await new Promise((resolve) => setTimeout(resolve, 90));
        const changed = new Promise((resolve) => {
          const observer = new MutationObserver(() => {
            observer.disconnect();
            resolve();
          });
          observer.observe(badge, { attributeFilter: ['data-largest'] });
        });
        const start = performance.now();
        slider.value = String(Number(slider.min) + ((step % 20) + 1) * ((Number(slider.max) - Number(slider.min)) / 25));
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await changed;
        times.push((await frameDone()) - start);
      }
      return times.slice(10).sort((a, b) => a - b);
    });
    rows.push({
      where: 'Chromium page',
      what: 'slider moved, pictures shown: median',
      length,
      height,
      milliseconds: times[Math.floor(times.length / 2)],
    });
    rows.push({
      where: 'Chromium page',
      what: 'slider moved, pictures shown: p95',
      length,
      height,
      milliseconds: times[Math.floor(times.length * 0.95)],
    });
    await page.close();
  }
  await browser.close();
  server.close();
  return rows;
}
