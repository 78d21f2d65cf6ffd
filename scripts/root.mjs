// The root of the repository.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

// import.meta.dirname is not used, because setup.mjs must be able to reject old versions of Node, which lack it.
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
