// The names of the demos: web/standalone/demos/NAME.md becomes dist/offline/NAME.html.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

export const FOLDER = 'web/standalone/demos';

export const demoNames = () =>
  readdirSync(join(root, FOLDER))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replace(/\.md$/, ''))
    .sort();
