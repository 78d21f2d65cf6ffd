// The kinds of steps of a project. Each step returns the values that the consumer has computed, or its error as text.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as freePort } from 'node:net';
import { extname, join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';

/** @import { Project } from './project.mjs' */

/** @typedef {{ [entry: string]: (string | number)[] } | string | undefined} Answer the values of each entry, or an error message; undefined: nothing is computed */
/** @typedef {{ headers?: Record<string, string>, isSinglePage?: boolean }} ServerOptions */
/**
 * @typedef {object} StepFields
 * @property {string} title
 * @property {'build' | 'origins' | 'dev' | 'node' | 'check'} kind
 * @property {string[]} [clear] files that are deleted before
 * @property {Record<string, string>} [files] files that are written before
 * @property {string[][]} [before] commands that are run before
 * @property {string[][]} [commands]
 * @property {string[]} [command]
 * @property {string} [folder] the folder that is served
 * @property {string} [path] the path of the page
 * @property {Record<string, string>} [page] files of a page of another origin
 * @property {RegExp} [says] the expected text instead of values
 * @property {boolean} [fast] whether it is one of the steps of `--fast`
 * @property {Record<string, string>} [threads] the threads of entries that differ from those in Node
 */
/** @typedef {StepFields & ServerOptions} Step */

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.css': 'text/css',
};
const PATIENCE = 120_000; // ms, until a page has answered

/** @type {import('playwright').Browser | undefined} */
let browser;
const theBrowser = async () => (browser ??= await chromium.launch(chromiumOptions()));
export const closeBrowser = async () => browser?.close();

/** @param {import('node:net').Server} server */
function listensAt(server) {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** @returns {Promise<number>} */
const portOf = () =>
  new Promise((resolve) => {
    const server = freePort().listen(0, '127.0.0.1', () => {
      const port = listensAt(server);
      server.close(() => resolve(port));
    });
  });

/** Serves a folder with `headers` in every response; with `isSinglePage`, unknown paths return index.html. @param {string} folder @param {ServerOptions} [options] */
async function serve(folder, { headers = {}, isSinglePage = false } = {}) {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '/index.html');
    let file = join(folder, path);
    if (!existsSync(file) || statSync(file).isDirectory()) file = isSinglePage ? join(folder, 'index.html') : '';
    if (file === '') {
      response.writeHead(404, headers).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers });
    response.end(readFileSync(file));
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
  return { origin: `http://127.0.0.1:${listensAt(server)}`, close: () => server.close() };
}

/** Runs in the page: the answer that its program (program.mjs) has stored. */
const readAnswer = () => /** @type {{ answered?: { error?: string, value?: Answer } }} */ (globalThis).answered;

/** Opens a page and waits for its answer. @param {string} address @returns {Promise<Answer>} */
async function answerOf(address) {
  const page = await (await theBrowser()).newPage();
  /** @type {string[]} */
  const messages = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  try {
    const end = Date.now() + PATIENCE;
    while (!(await page.goto(address).catch(() => null))?.ok()) {
      if (Date.now() > end) throw new Error(`${address} does not answer`);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    // A development server may reload the page after it has found the imports.
    for (;;) {
      const answer = await page.evaluate(readAnswer).catch(() => undefined);
      if (answer) return answer.error ?? answer.value;
      if (Date.now() > end) throw new Error(`no answer from ${address}:\n${messages.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    await page.close();
  }
}

export const steps = {
  /** Runs commands, then opens the folder that they built in a browser. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
  async build(project, { commands = [], folder = 'dist', path = '/', ...server }) {
    for (const command of commands) project.run(command);
    const host = await serve(join(project.path, folder), server);
    try {
      return await answerOf(host.origin + path);
    } finally {
      host.close();
    }
  },

  /** Opens a page that imports the package from another origin, which replaces ORIGIN in its files. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
  async origins(project, { page = {}, path = '/' }) {
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

  /** Starts the server of a tool and opens its page; PORT in the command is replaced by a free port. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
  async dev(project, { before = [], command = [], path = '/' }) {
    for (const command of before) project.run(command);
    const port = await portOf();
    const server = project.start(command.map((word) => word.replace('PORT', String(port))));
    try {
      return await answerOf(`http://localhost:${port}${path}`);
    } catch (error) {
      throw new Error(`${error instanceof Error ? error.message : error}\n${server.output()}`);
    } finally {
      await server.stop();
    }
  },

  /** Runs a command that prints the answer. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
  async node(project, { before = [], command = [] }) {
    for (const command of before) project.run(command);
    const printed = project.run(command).trim().split('\n').at(-1) ?? '';
    return printed.startsWith('{') ? JSON.parse(printed) : printed;
  },

  /** Runs commands that must succeed. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
  async check(project, { commands = [] }) {
    for (const command of commands) project.run(command);
    return undefined;
  },
};
