// `npm run lint` checks, `npm run format` writes: clang-format for C++, Biome for TypeScript, JavaScript, CSS and JSON.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { run } from '../run.mjs';

export function lint({ write = false } = {}) {
  const sources = ['cpp', 'tests']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))))
    .filter((name) => /\.(cpp|h)$/.test(name) && !name.includes('node_modules'));
  run('clang-format', write ? ['-i', ...sources] : ['--dry-run', '-Werror', ...sources]);
  run('npx', ['biome', 'check', '--error-on-warnings', ...(write ? ['--write'] : []), '.']);
  for (const [project, name] of Object.entries({ '.': 'tsc', scripts: 'tsc-scripts' }))
    run('npx', ['tsc', '-p', project, '--incremental', '--tsBuildInfoFile', `build/${name}.tsbuildinfo`]);
  console.log(`${write ? 'formatted' : 'lint passed'}: clang-format (${sources.length} files), Biome, TypeScript`);
}

if (process.argv[1] === import.meta.filename) lint({ write: process.argv.includes('--write') });
