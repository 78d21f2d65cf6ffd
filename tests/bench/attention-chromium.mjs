// The attention suite in headless Chromium: on a page without special headers, and on a cross-origin isolated page, where ONNX Runtime Web
// may use two threads.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { root } from '../../scripts/root.mjs';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';
import { coldEngines } from './attention-rows.mjs';

const types = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };
const folders = {
  npm: 'dist/npm',
  bench: 'tests/bench',
  ort: 'tests/bench/node_modules/onnxruntime-web/dist',
  core: 'tests/bench/node_modules/@tensorflow/tfjs-core/dist',
  wasm: 'tests/bench/node_modules/@tensorflow/tfjs-backend-wasm/dist',
};
const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

async function serve(headers) {
  const server = createServer(async (request, response) => {
    const [, folder, name] = /^\/(\w*)\/?([\w.-]*)/.exec(request.url);
    try {
      const body = folder ? await readFile(join(root, folders[folder], name)) : '<!doctype html><title>attention</title>';
      response.writeHead(200, { 'content-type': types[name.split('.').pop()] ?? 'text/html', ...headers }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Calls a function of attention-rows.mjs in a new page. */
async function inPage(browser, address, threads, name, ...args) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  if (threads === 1) {
    await page.addScriptTag({ url: '/core/tf-core.min.js' });
    await page.addScriptTag({ url: '/wasm/tf-backend-wasm.min.js' });
  }
  const result = await page.evaluate(
    async ({ name, args, threads }) => {
      if (crossOriginIsolated !== threads > 1) throw new Error(`crossOriginIsolated is ${crossOriginIsolated}`);
      const load = (path) => import(path);
      const ort = await load('/ort/ort.wasm.min.mjs');
      ort.env.wasm.wasmPaths = `${location.origin}/ort/`;
      ort.env.wasm.numThreads = threads;
      const tf = globalThis.tf;
      tf?.wasm.setWasmPaths(`${location.origin}/wasm/`);
      const rows = await load('/bench/attention-rows.mjs');
      return rows[name]({ package: { ...(await load('/npm/index.js')), ...(await load('/npm/workers.js')) }, ort, tf }, ...args);
    },
    { name, args, threads },
  );
  await context.close();
  return result;
}

const launch = () => chromium.launch(chromiumOptions());

/** The rows of the function `name` of attention-rows.mjs. */
export async function chromiumRowsOf(name, plan) {
  const plain = await serve({});
  const browser = await launch();
  const rows = await inPage(browser, plain.address, 1, name, plan);
  const version = browser.version();
  await browser.close();
  plain.close();
  return { version, rows };
}

export async function chromiumRows(plan) {
  const plain = await serve({});
  const isolated = await serve(isolation);
  const browser = await launch();
  const rows = await inPage(browser, plain.address, 1, 'attentionRows', plan);
  for (const tokens of plan.cold) {
    for (const name of coldEngines) rows.push(await inPage(browser, plain.address, 1, 'coldRow', name, tokens));
  }
  const threads = { sizes: plan.sizes.filter((tokens) => tokens >= 128 && tokens <= 4096), encodings: [], threads: 2 };
  for (const row of await inPage(browser, isolated.address, 2, 'attentionRows', threads)) rows.push({ ...row, isolated: true });
  const version = browser.version();
  await browser.close();
  plain.close();
  isolated.close();
  return { version, rows };
}
