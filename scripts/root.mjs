// The folder of the project.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

// Not import.meta.dirname: setup.mjs has to come as far as its sentence about a Node that is too old.
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
