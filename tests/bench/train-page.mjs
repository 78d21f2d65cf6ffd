// Wall time of whole trainings of experiments in a worker of Chromium, from the creation of the trainer to the score after its last step, beside the
// same steps in Node, taking turns. The result is the ratio of both.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright';
import { root } from '../../scripts/root.mjs';
import { chromiumOptions } from '../../scripts/setup/browsers.mjs';
import { median } from './rounds.mjs';

export const needs = ['npm'];

const TASKS = [
  { experiment: 'E1', task: 'order', encoding: 'rope' },
  { experiment: 'E2b', task: 'text', encoding: 'rope' },
];
const TURNS = 3;
const types = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.txt': 'text/plain',
};
const folders = { npm: 'dist/npm', data: 'public/data' };

async function serve() {
  const server = createServer(async (request, response) => {
    const [, folder, ...rest] = normalize(new URL(request.url, 'http://localhost').pathname).split('/');
    try {
      const body = folder in folders ? await readFile(join(root, folders[folder], ...rest)) : '<!doctype html><title>training</title>';
      response.writeHead(200, { 'content-type': types[extname(request.url)] ?? 'text/html' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Trains for the default number of steps of the task. Runs in the page or in Node, so it uses its arguments only. */
async function train(create, spec) {
  const start = performance.now();
  const trainer = await create(spec);
  const { steps, sequenceLength: length } = trainer.config;
  await trainer.step(steps);
  const { variant } = trainer;
  const {
    lengths: [{ score }],
  } = await trainer.evaluate({ lengths: [length] });
  trainer.dispose();
  return { seconds: (performance.now() - start) / 1000, steps, score, variant };
}

/** @returns {Promise<{ experiment: string, encoding: string, steps: number, score: number, variant: string, chromium: number, node: number }[]>} */
export async function trainPageRows() {
  const { createTrainer } = await import(join(root, 'dist/npm/train.node.js'));
  const corpus = await readFile(join(root, 'public/data/pride-and-prejudice.txt'), 'utf8');
  const { origin, close } = await serve();
  const browser = await chromium.launch(chromiumOptions());
  const rows = [];
  try {
    const page = await browser.newPage();
    await page.goto(origin);
    const inPage = (spec) =>
      page.evaluate(
        async ([origin, spec, train]) => {
          const { createTrainerWorker } = await import(`${origin}/npm/train.js`);
          const given = spec.task === 'text' ? { corpus: await (await fetch(`${origin}/data/pride-and-prejudice.txt`)).text() } : {};
          return new Function(`return ${train}`)()(createTrainerWorker, { ...spec, ...given });
        },
        [origin, spec, String(train)],
      );
    for (const { experiment, ...spec } of TASKS) {
      const inChromium = [];
      const inNode = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        inChromium.push(await inPage(spec));
        inNode.push(await train(createTrainer, spec.task === 'text' ? { ...spec, corpus } : spec));
      }
      const seconds = (all) => median(all.map((one) => one.seconds));
      const [{ steps, score, variant }] = inChromium;
      rows.push({
        experiment: `${experiment} ${spec.task}`,
        encoding: spec.encoding,
        steps,
        score,
        variant,
        chromium: seconds(inChromium),
        node: seconds(inNode),
      });
    }
  } finally {
    await browser.close();
    close();
  }
  return rows;
}

export const columns = () => [
  ['experiment', (row) => row.experiment],
  ['encoding', (row) => row.encoding],
  ['steps', (row) => row.steps],
  ['score', (row) => row.score.toFixed(3)],
  ['Chromium runs', (row) => row.variant],
  ['seconds in Chromium', (row) => row.chromium.toFixed(1)],
  ['times Node', (row) => (row.node / row.chromium).toFixed(2)],
];
