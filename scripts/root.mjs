// The folder of the project.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

// Not import.meta.dirname: setup.mjs must get as far as its error about old versions of Node.
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
