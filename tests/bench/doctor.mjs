// Time of the doctor for a dump of a whole layer: 4,096 tokens, 32 heads, 128 channels, float32, 134 MB. Measured in Node, in the worker of the
// page in Chromium (from the request to the report), and for the whole page, including reading the files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright';
import { root } from '../../scripts/root.mjs';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';
import { npy } from '../doctor-ports.mjs';

export const needs = ['npm', 'site'];

export const columns = () => [
  ['where', (row) => row.where],
  ['dump', (row) => row.dump],
  ['verdict', (row) => row.verdict],
  ['seconds, median', (row) => row.median.toPrecision(3)],
  ['least', (row) => row.least.toPrecision(3)],
];

const [TOKENS, HEADS, DIM] = [4096, 32, 128];
const ROUNDS = 5;
const CONFIG = {
  ...{ model_type: 'llama', hidden_size: HEADS * DIM, num_hidden_layers: 2, num_attention_heads: HEADS, num_key_value_heads: HEADS },
  ...{ head_dim: DIM, rope_theta: 10000 },
};
/** Name, base and position offset: as configured, a base from the list of candidates, and an offset that is estimated. */
const PORTS = [
  ['as_claimed', 10000, 0],
  ['wrong_base', 500000, 0],
  ['position_offset', 10000, 1234],
];
const TYPES = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  wasm: 'application/wasm',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/** @param {string} where @param {string} dump @param {{ verdict: string, seconds: number }[]} all */
function rowOf(where, dump, all) {
  const times = all.map(({ seconds }) => seconds).sort((a, b) => a - b);
  return { where, dump, verdict: all[0]?.verdict, median: times[times.length >> 1], least: times[0] };
}

async function dumps() {
  const { createPhasor } = await import(pathToFileURL(join(root, 'dist/npm/node.js')).href);
  const phasor = await createPhasor({ variant: 'simd' });
  const shape = [TOKENS, HEADS, DIM];
  const before = { shape, data: new Float32Array(TOKENS * HEADS * DIM).map((_, at) => Math.sin(at * 12.9898 + (at % 977) * 78.233)) };
  const heads = { shape: [HEADS, TOKENS, DIM], strides: [DIM, HEADS * DIM, 1], data: before.data };
  return PORTS.map(([name, base, offset]) => {
    const positions = Array.from({ length: TOKENS }, (_, token) => token + Number(offset));
    const turned = phasor.applyRotary(heads, { encoding: { id: 'rope', layout: 'half_split', base }, positions }).data;
    const data = new Float32Array(turned.length);
    for (let head = 0; head < HEADS; head++)
      for (let token = 0; token < TOKENS; token++) {
        const from = (head * TOKENS + token) * DIM;
        data.set(turned.subarray(from, from + DIM), (token * HEADS + head) * DIM);
      }
    return { name: String(name), before, after: { shape, data } };
  });
}

/** @param {Awaited<ReturnType<typeof dumps>>} all */
async function nodeRows(all) {
  const { diagnose } = await import(pathToFileURL(join(root, 'dist/npm/doctor.node.js')).href);
  const rows = [];
  for (const { name, before, after } of all) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now();
      const { verdict } = await diagnose({ before, after, config: CONFIG, layerIdx: 0, axes: 'tokens,heads,dim' });
      rounds.push({ verdict, seconds: (performance.now() - start) / 1000 });
    }
    rows.push(rowOf('Node', name, rounds));
  }
  return rows;
}

/** Records the time from each request to a worker to its report. */
function watchWorkers() {
  window.reports = [];
  const { Worker: Own } = window;
  window.Worker = class extends Own {
    postMessage(message, transfer) {
      if (message?.request) {
        const start = performance.now();
        this.addEventListener('message', ({ data }) => {
          if (data.report) window.reports.push({ verdict: data.report.verdict, seconds: (performance.now() - start) / 1000 });
        });
      }
      super.postMessage(message, transfer);
    }
  };
}

/** @param {Awaited<ReturnType<typeof dumps>>} all */
async function pageRows(all) {
  const folder = mkdtempSync(join(tmpdir(), 'phasor-doctor-'));
  const server = createServer(async ({ url }, response) => {
    const path = join(root, 'dist/site', new URL(url ?? '/', 'http://localhost').pathname.replace(/\/$/, '/index.html'));
    const file = await readFile(path).catch(() => undefined);
    response.writeHead(file ? 200 : 404, { 'content-type': TYPES[path.split('.').pop() ?? ''] ?? 'application/octet-stream' }).end(file);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const browser = await chromium.launch(chromiumOptions());
  const rows = [];
  try {
    const page = await browser.newPage();
    await page.addInitScript(watchWorkers);
    await page.goto(`http://127.0.0.1:${server.address().port}/gallery/doctor/`);
    const figure = page.locator('phasor-figure[kind=doctor]');
    await figure.dispatchEvent('pointerover');
    await page.waitForFunction(() => window.reports.length > 0);
    const input = figure.locator('input[type=file]');
    writeFileSync(join(folder, 'config.json'), JSON.stringify(CONFIG));
    writeFileSync(join(folder, 'q.npy'), npy(all[0].before));
    await input.setInputFiles([join(folder, 'config.json'), join(folder, 'q.npy')]);
    await figure.evaluate((element) => element.setAttribute('axes', 'tokens,heads,dim'));
    for (const { name, after } of all) {
      writeFileSync(join(folder, 'q_rot.npy'), npy(after));
      const [inWorker, whole] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        const known = await page.evaluate(() => window.reports.length);
        const start = performance.now();
        await input.setInputFiles(join(folder, 'q_rot.npy'));
        await page.waitForFunction((count) => window.reports.length > count, known);
        const report = await page.evaluate(() => window.reports.at(-1));
        inWorker.push(report);
        whole.push({ ...report, seconds: (performance.now() - start) / 1000 });
      }
      rows.push(rowOf('worker of the page, Chromium', name, inWorker), rowOf('page with its file, Chromium', name, whole));
    }
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  }
  return rows;
}

export const doctorRows = async () => {
  const all = await dumps();
  return [...(await nodeRows(all)), ...(await pageRows(all))];
};
