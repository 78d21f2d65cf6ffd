// The language model of a page, in the Lab and in the gallery: the shipped model, files of the user, invalid files, and a second drop.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { address, collectProblems, lab, serveSite, waitUntilReady } from './page.ts';

serveSite();

const file = (name: string) => ({ name, mimeType: 'application/octet-stream', buffer: readFileSync(`public/models/austen/${name}`) });
const [config, weights, tokenizer] = ['config.json', 'model.safetensors', 'tokenizer.json'].map(file) as [
  ReturnType<typeof file>,
  ReturnType<typeof file>,
  ReturnType<typeof file>,
];

for (const [place, url] of [
  ['gallery', () => `${address()}gallery/model-heads/`],
  ['Lab', () => `${lab()}#v=3&question=model&view=model-heads`],
] as const)
  test(`the ${place} opens the files of a model without uploading them`, async ({ page }) => {
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') requests.push(request.url());
    });
    await page.goto(url());
    const figure = page.locator('phasor-figure[kind=model-heads]:not([compact])');
    const [readout, input, fileInput] = [figure.locator('.readout'), figure.locator('input[name=files]'), figure.locator('.file-input')];
    await waitUntilReady(figure);
    await expect(readout).toContainText(/Layer \d, head \d puts \d+% of its weight on the previous token\. Next token: “/);
    const initialText = await readout.textContent();
    await expect(fileInput).toContainText('Files stay on this device.');

    await input.setInputFiles([config, weights, tokenizer]);
    await expect(fileInput).toContainText('Opened: llama, 1.1 million parameters in 2 MB of memory.');
    // The same weights have the same readout.
    await expect(figure).toHaveJSProperty('state', 'ready');
    await expect(readout).toHaveText(initialText as string);

    // Invalid files are reported, and the opened model remains.
    await input.setInputFiles([config]);
    await expect(fileInput.locator('.problem')).toHaveText(/^files: model.safetensors is missing/);
    await input.setInputFiles([config, weights, { ...weights, name: 'other.gguf' }, { ...config, name: 'config.json' }]);
    await expect(fileInput.locator('.problem')).toHaveText(/^files: two files are named config.json/);
    await expect(fileInput).toContainText('Opened: llama');

    // Without a tokenizer the text must consist of token ids. A second selection of files replaces the first one at once.
    await input.setInputFiles([config, weights, tokenizer]);
    await input.setInputFiles([config, weights]);
    await expect(figure.locator('.problem').first()).toHaveText(/text: "Mr\." is not a token id; expected ids from 0 to 1023/);
    await fileInput.getByRole('button', { name: 'Back to the small model' }).click();
    await expect(readout).toHaveText(initialText as string);
    await expect(figure.locator('.problem')).toHaveCount(0);
    expect(requests).toEqual([]);
  });

/** Writes the small model with a vocabulary of 150,000 tokens (75 MB): rows beyond the first 1024 are zero. @returns the paths of its files */
function largeModel(folder: string): readonly string[] {
  const content = weights.buffer;
  const size = Number(content.readBigUInt64LE(0));
  const { __metadata__, ...tensors } = JSON.parse(content.toString('utf8', 8, 8 + size)) as {
    [tensor: string]: { shape: number[]; data_offsets: [number, number] };
  };
  const [rows, small] = [150_000, 1024];
  const data: Buffer[] = [];
  let at = 0;
  for (const tensor of Object.values(tensors)) {
    const part = content.subarray(...(tensor.data_offsets.map((offset) => 8 + size + offset) as [number, number]));
    const isLarge = tensor.shape[0] === small;
    if (isLarge) tensor.shape = [rows, ...tensor.shape.slice(1)];
    const more = isLarge ? (part.length / small) * (rows - small) : 0;
    data.push(part, Buffer.alloc(more));
    tensor.data_offsets = [at, at + part.length + more];
    at += part.length + more;
  }
  const header = Buffer.from(JSON.stringify(tensors));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const file = (name: string, ...parts: readonly Buffer[]): string => {
    writeFileSync(join(folder, name), Buffer.concat(parts));
    return join(folder, name);
  };
  return [
    file('config.json', Buffer.from(JSON.stringify({ ...JSON.parse(config.buffer.toString()), vocab_size: rows }))),
    file('model.safetensors', length, header, ...data),
    file('tokenizer.json', tokenizer.buffer),
  ];
}

test.describe('a large model', () => {
  let folder: string;
  let large: readonly string[];
  test.beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'phasor-'));
    large = largeModel(folder);
  });
  test.afterAll(() => rmSync(folder, { recursive: true }));

  const parts = (page: Page) => {
    const figure = page.locator('phasor-figure[kind=model-heads]:not([compact])');
    const fileInput = figure.locator('.file-input');
    const press = (name: string) => fileInput.getByRole('button', { name, exact: true }).click();
    return { figure, fileInput, press, readout: figure.locator('.readout'), input: figure.locator('input[name=files]') };
  };
  const summary =
    /^llama: 39\.2 million parameters in 4 layers\. Opening it reads 74\.\d MB; while open, it takes about 100 MB of memory\.$/;

  test('shows its size before it is read, and frees its memory when it is closed', async ({ page }) => {
    const problems = collectProblems(page);
    await page.goto(`${address()}gallery/model-heads/`);
    const { figure, fileInput, press, readout, input } = parts(page);
    await waitUntilReady(figure);
    const initialText = (await readout.textContent()) as string;
    const { length: workers } = page.workers();

    await input.setInputFiles([...large]);
    await expect(fileInput.getByRole('status')).toHaveText(summary);
    await press('Not now');
    await expect(fileInput).toContainText('Files stay on this device.');
    await expect(readout).toHaveText(initialText);

    // Other files while the first model waits for confirmation.
    await input.setInputFiles([...large]);
    await expect(fileInput.getByRole('status')).toHaveText(summary);
    await input.setInputFiles([config, weights, tokenizer]);
    await expect(fileInput).toContainText('Opened: llama, 1.1 million');

    // Other files while the first model is read.
    await input.setInputFiles([...large]);
    await press('Open');
    await input.setInputFiles([config, weights, tokenizer]);
    await expect(fileInput).toContainText('Opened: llama, 1.1 million');
    await expect(fileInput.locator('.problem')).toHaveCount(0);

    await input.setInputFiles([...large]);
    await press('Open');
    await expect(fileInput).toContainText('Opened: llama, 39.2 million parameters in 74.');
    // The added rows of zeros do not change any head.
    await expect(figure).toHaveJSProperty('state', 'ready');
    await expect(readout).toContainText(initialText.slice(0, initialText.indexOf('.')));
    await press('Back to the small model');
    await expect(readout).toHaveText(initialText);
    // The workers of all other models and tokenizers have ended.
    await expect.poll(() => page.workers().length).toBe(workers);
    expect(problems).toEqual([]);
  });

  test('opens in a background tab, where no frames are drawn and timers are throttled', async ({ page }) => {
    await page.goto(`${address()}gallery/model-heads/`);
    const { figure, fileInput, press, input } = parts(page);
    await waitUntilReady(figure);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));
      window.requestAnimationFrame = () => 0;
      const setTimeoutLater = window.setTimeout.bind(window);
      window.setTimeout = ((task: () => void, wait = 0) => setTimeoutLater(task, Math.max(wait, 60_000))) as never;
    });
    await input.setInputFiles([...large]);
    await press('Open');
    await expect(fileInput).toContainText('Opened: llama, 39.2 million');
  });

  test('is dropped when the user leaves the page', async ({ page }) => {
    const problems = collectProblems(page);
    await page.goto(`${address()}gallery/model-heads/`);
    const { figure, fileInput, press, input, readout } = parts(page);
    await waitUntilReady(figure);
    await input.setInputFiles([...large]);
    await press('Open');
    await page.goto(`${address()}gallery/`);
    await page.goBack();
    await waitUntilReady(figure);
    await expect(readout).toContainText('Layer');
    await expect(fileInput).toContainText('Files stay on this device.');
    expect(problems).toEqual([]);
  });

  test('is rejected before it is read if the device has too little memory', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'deviceMemory', { value: 0.125 }));
    await page.goto(`${address()}gallery/model-heads/`);
    const { figure, fileInput, input } = parts(page);
    await waitUntilReady(figure);
    await input.setInputFiles([...large]);
    await expect(fileInput.locator('.problem')).toHaveText(
      /^files: llama needs 75 MB of memory, but this page can use 64 MB; expected a smaller/,
    );
    await expect(fileInput.getByRole('button', { name: 'Open', exact: true })).toHaveCount(0);
  });
});

test('a text of fewer than two tokens is rejected', async ({ page }) => {
  await page.goto(`${address()}gallery/model-heads/`);
  const figure = page.locator('phasor-figure[kind=model-heads]:not([compact])');
  await waitUntilReady(figure);
  const text = figure.getByLabel('text', { exact: true });
  for (const [typed, why] of [
    ['', 'text: has 0 tokens for this model; expected at least 2'],
    ['Mr. Darcy', undefined],
    [' ', 'text: has 1 token for this model; expected at least 2'],
  ] as const) {
    await text.fill(typed);
    await text.blur();
    const problem = figure.locator('.problem').first();
    if (why === undefined) await expect(problem).toHaveCount(0);
    else await expect(problem).toContainText(why);
  }
});
