// What can be done with a project. Each step gives what the consumer has computed, or the error it was shown, as text.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as freePort } from 'node:net';
import { extname, join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';

/** @import { Project } from './project.mjs' */

/** @typedef {{ [entry: string]: (string | number)[] } | string | undefined} Answer the numbers of each entry, or what was said; undefined: nothing is computed */
/** @typedef {{ headers?: Record<string, string>, isSinglePage?: boolean }} ServerOptions */
/**
 * What is done with a project, and what has to come of it.
 * @typedef {object} StepFields
 * @property {string} title
 * @property {'build' | 'origins' | 'dev' | 'node' | 'check'} kind
 * @property {string[]} [clear] files that are deleted before
 * @property {Record<string, string>} [files] files that are written before
 * @property {string[][]} [before] commands that are run before
 * @property {string[][]} [commands]
 * @property {string[]} [command]
 * @property {string} [folder] that is served
 * @property {string} [path] of the page
 * @property {Record<string, string>} [page] files of a page of another origin
 * @property {RegExp} [says] what is said instead of an answer
 * @property {boolean} [fast] whether it is one of the steps of `--fast`
 * @property {Record<string, string>} [threads] of entries, where they are others than in Node
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

/** Serves a folder; `headers` go with every answer, and unknown paths get index.html where it is the server of a single page. @param {string} folder @param {ServerOptions} [options] */
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

/** What the program of a page (program.mjs) has left there; run in the page. */
const answeredThere = () => /** @type {{ answered?: { error?: string, value?: Answer } }} */ (globalThis).answered;

/** What a page answers. @param {string} address @returns {Promise<Answer>} */
async function answerOf(address) {
  const page = await (await theBrowser()).newPage();
  /** @type {string[]} */
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
      const answered = await page.evaluate(answeredThere).catch(() => undefined);
      if (answered) return answered.error ?? answered.value;
      if (Date.now() > end) throw new Error(`no answer from ${address}:\n${said.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    await page.close();
  }
}

export const steps = {
  /** A command, then the folder it has made in a browser. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
  async build(project, { commands = [], folder = 'dist', path = '/', ...server }) {
    for (const command of commands) project.run(command);
    const host = await serve(join(project.path, folder), server);
    try {
      return await answerOf(host.origin + path);
    } finally {
      host.close();
    }
  },

  /** A page of one origin that takes the package from another one: ORIGIN in its files is the address of that. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
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

  /** A server of the tool's own, in a browser. PORT stands for its port. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
  async dev(project, { before = [], command = [], path = '/' }) {
    for (const each of before) project.run(each);
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

  /** A command that prints the answer. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
  async node(project, { before = [], command = [] }) {
    for (const each of before) project.run(each);
    const printed = project.run(command).trim().split('\n').at(-1) ?? '';
    return printed.startsWith('{') ? JSON.parse(printed) : printed;
  },

  /** Commands that have to end well. @param {Project} project @param {Omit<Step, 'title' | 'kind'>} step @returns {Promise<Answer>} */
  async check(project, { commands = [] }) {
    for (const command of commands) project.run(command);
    return undefined;
  },
};
