// What can be done with a project. Each step gives what the consumer has computed, or the error it was shown, as text.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as freePort } from 'node:net';
import { extname, join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.css': 'text/css',
};
const PATIENCE = 120_000; // ms, until a page has answered

let browser;
const theBrowser = async () => (browser ??= await chromium.launch(chromiumOptions()));
export const closeBrowser = async () => browser?.close();

const portOf = () =>
  new Promise((resolve) => {
    const server = freePort().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Serves a folder; `headers` go with every answer, and unknown paths get index.html where it is the server of a single page. */
async function serve(folder, { headers = {}, isSinglePage = false } = {}) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname.replace(/\/$/, '/index.html');
    let file = join(folder, path);
    if (!existsSync(file) || statSync(file).isDirectory()) file = isSinglePage ? join(folder, 'index.html') : '';
    if (file === '') return response.writeHead(404, headers).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** What a page answers. */
async function answerOf(address) {
  const page = await (await theBrowser()).newPage();
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  try {
    const end = Date.now() + PATIENCE;
    while (!(await page.goto(address).catch(() => null))?.ok()) {
      if (Date.now() > end) throw new Error(`${address} does not answer`);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    // A development server may load the page again when it has found what the page imports.
    for (;;) {
      const answered = await page.evaluate(() => globalThis.answered).catch(() => undefined);
      if (answered) return answered.error ?? answered.value;
      if (Date.now() > end) throw new Error(`no answer from ${address}:\n${said.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    await page.close();
  }
}

export const steps = {
  /** A command, then the folder it has made in a browser. */
  async build(project, { commands = [], folder = 'dist', path = '/', ...server }) {
    for (const command of commands) project.run(command);
    const host = await serve(join(project.path, folder), server);
    try {
      return await answerOf(host.origin + path);
    } finally {
      host.close();
    }
  },

  /** A page of one origin that takes the package from another one: ORIGIN in its files is the address of that. */
  async origins(project, { page, path = '/' }) {
    const packages = await serve(join(project.path, 'node_modules/phasor'), { headers: { 'access-control-allow-origin': '*' } });
    project.write(
      Object.fromEntries(Object.entries(page).map(([name, text]) => [`page/${name}`, text.replaceAll('ORIGIN', packages.origin)])),
    );
    const host = await serve(join(project.path, 'page'));
    try {
      return await answerOf(host.origin + path);
    } finally {
      host.close();
      packages.close();
    }
  },

  /** A server of the tool's own, in a browser. PORT stands for its port. */
  async dev(project, { before = [], command, path = '/' }) {
    for (const each of before) project.run(each);
    const port = await portOf();
    const server = project.start(command.map((word) => word.replace('PORT', String(port))));
    try {
      return await answerOf(`http://localhost:${port}${path}`);
    } catch (error) {
      throw new Error(`${error.message}\n${server.output()}`);
    } finally {
      await server.stop();
    }
  },

  /** A command that prints the answer. */
  node(project, { before = [], command }) {
    for (const each of before) project.run(each);
    const printed = project.run(command).trim().split('\n').at(-1);
    return printed.startsWith('{') ? JSON.parse(printed) : printed;
  },

  /** Commands that have to end well. */
  check(project, { commands }) {
    for (const command of commands) project.run(command);
    return undefined;
  },
};
