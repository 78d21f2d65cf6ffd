// The photographs of the patches figure, read from the file that pages fetch.
import { readFile } from 'node:fs/promises';
import { PhotographFile } from '../../../web/figure/runtime/photographs.ts';

export const photographs = new PhotographFile('public/data/photographs.json', async (path) => new Response(await readFile(path)));
