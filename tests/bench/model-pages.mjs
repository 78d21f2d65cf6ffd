// Pages with one engine each. They are in separate browsers, so that the processor time and memory of each can be measured.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, relative } from 'node:path';
import { chromium } from 'playwright';
import { root } from '../../scripts/root.mjs';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';

const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };
const folders = {
  npm: 'dist/npm',
  bench: 'tests/bench',
  ort: 'tests/bench/node_modules/onnxruntime-web/dist',
  wllama: 'tests/bench/node_modules/@wllama/wllama/esm',
  build: 'build',
};

export async function serveModels() {
  const server = createServer((request, response) => {
    const [, folder, ...rest] = normalize(new URL(request.url, 'http://localhost').pathname).split('/');
    const path = folder in folders ? join(root, folders[folder], ...rest) : '';
    if (folder === '') return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>model</title>');
    if (!(existsSync(path) && statSync(path).isFile())) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream', 'content-length': statSync(path).size });
    createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Clock ticks of Linux per second. */
const TICKS = 100;
const isLinux = existsSync('/proc/self/stat');

/** Opens a page with an engine of model-engines.mjs. @param {string} origin @param {string} name @param {string[]} files below build/ */
export async function openPage(origin, name, files) {
  const urls = files.map((path) => `/${relative(root, path)}`);
  const browser = await chromium.launch(chromiumOptions());
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    /** Processor time of the page and its workers so far, ms. */
    const processor = () =>
      renderers.reduce((sum, id) => {
        const fields = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/.*\) /s, '').split(' ');
        return sum + (1000 * (Number(fields[11]) + Number(fields[12]))) / TICKS;
      }, 0);
    /** @param {() => Promise<any>} call */
    const timed = async (call) => {
      const [before, begin] = [isLinux ? processor() : 0, performance.now()];
      const result = await call();
      return { result, processor: isLinux ? processor() - before : performance.now() - begin };
    };
    const what = await page.evaluate(
      async ([name, urls]) => {
        const engines = await import('/bench/model-engines.mjs');
        globalThis.engine = await engines[name](urls);
        return globalThis.engine.what;
      },
      [name, urls],
    );
    return {
      what,
      /** @param {{ ids: number[], text: string }} prompt @param {number} count */
      async generate(prompt, count) {
        const call = () => page.evaluate(([prompt, count]) => globalThis.engine.generate(prompt, count), [prompt, count]);
        const { result: tokens, processor } = await timed(call);
        return { tokens, processor };
      },
      /** Largest resident memory of the page, bytes. */
      memory: () =>
        isLinux
          ? renderers.reduce((sum, id) => sum + 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]), 0)
          : undefined,
      /** Peak of multiply-adds in GFLOP/s and bandwidth of memory in GB/s. */
      async limits() {
        const peak = await page.evaluate(async () => (await import('/bench/peak.mjs')).wasmPeak(12, true));
        await page.evaluate(async () => {
          globalThis.sum = (await import('/bench/bandwidth.mjs')).sumMemory(12);
          globalThis.sum();
        });
        const { result, processor } = await timed(() => page.evaluate(() => globalThis.sum()));
        return { peak, bandwidth: result / processor / 1e6 };
      },
      close: () => browser.close(),
    };
  } catch (thrown) {
    await browser.close();
    throw thrown;
  }
}
