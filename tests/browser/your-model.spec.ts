// The language model of a page, in the Lab and in the gallery: the shipped one, the reader's files, what is no model, and a second drop.
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { address, comesAlive, lab, serveSite } from './page.ts';

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
  test(`the files of a model are opened in the ${place}, and stay on the device`, async ({ page }) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await page.goto(url());
    const figure = page.locator('phasor-figure[kind=model-heads]:not([compact])');
    const [readout, input, bring] = [figure.locator('.readout'), figure.locator('input[name=files]'), figure.locator('.bring')];
    await comesAlive(figure);
    await expect(readout).toContainText(/Layer \d, head \d puts \d+ % of its weight on the previous token\. Next token: “/);
    const before = await readout.textContent();
    await expect(bring).toContainText('Files stay on this device.');

    await input.setInputFiles([config, weights, tokenizer]);
    await expect(bring).toContainText('Opened: llama, 1.1 million parameters in 2 MB of memory.');
    // The same weights say the same.
    await expect(figure).toHaveJSProperty('state', 'ready');
    await expect(readout).toHaveText(before as string);

    // What is no model is named, and the opened one remains.
    await input.setInputFiles([config]);
    await expect(bring.locator('.problem')).toHaveText(/^files: there is no model.safetensors among them/);
    await input.setInputFiles([config, weights, { ...weights, name: 'other.gguf' }, { ...config, name: 'config.json' }]);
    await expect(bring.locator('.problem')).toHaveText(/^files: two of them are called config.json/);
    await expect(bring).toContainText('Opened: llama');

    // Without a tokenizer the text is token ids, and a second choice of files replaces the first at once.
    await input.setInputFiles([config, weights, tokenizer]);
    await input.setInputFiles([config, weights]);
    await expect(figure.locator('.problem').first()).toHaveText(/text: "Mr\." is not a token id from 0 to 1023/);
    await bring.getByRole('button', { name: 'Back to the small model' }).click();
    await expect(readout).toHaveText(before as string);
    await expect(figure.locator('.problem')).toHaveCount(0);
    expect(sent).toEqual([]);
  });
